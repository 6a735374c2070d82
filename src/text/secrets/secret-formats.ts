/** The position of a secret in a text, and its label. It never spans a line break. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A kind of secret with a recognisable format. */
export interface SecretFormat {
  readonly label: string;
  /**
   * Substrings of which every such secret contains one, as a fast pre-check. Those that begin with a rare letter are
   * found fastest.
   */
  readonly hints: readonly string[];
  /** Matches the secret, or has one group around it. All repetitions are bounded, so that no text makes it slow. */
  readonly pattern: RegExp;
  /** Is true if the format is reliable only in files with credentials. */
  readonly inCredentialsOnly?: boolean;
}

/** The known formats. A new one is a row here and a generator in `test/text/secrets/corpus.ts`. */
export const FORMATS: readonly SecretFormat[] = [
  { label: "AWS_KEY", hints: ["AKIA", "ASIA"], pattern: /(?<!\w)A(?:K|S)IA[A-Z2-7]{16}(?!\w)/g },
  { label: "GITHUB_TOKEN", hints: ["gh"], pattern: /(?<!\w)gh[opsur]_[A-Za-z0-9]{36,255}(?!\w)/g },
  { label: "GITHUB_TOKEN", hints: ["github_pat_"], pattern: /(?<!\w)github_pat_[A-Za-z0-9_]{50,255}(?!\w)/g },
  { label: "GITLAB_TOKEN", hints: ["glpat-"], pattern: /(?<!\w)glpat-[\w-]{20,255}(?![\w-])/g },
  { label: "SLACK_TOKEN", hints: ["xox"], pattern: /(?<!\w)xox[abeprs]-[A-Za-z0-9-]{10,255}(?![\w-])/g },
  {
    label: "SLACK_WEBHOOK",
    hints: [".slack.com"],
    pattern: /hooks\.slack\.com\/services\/([A-Za-z0-9/]{20,100})(?![\w/])/g,
  },
  { label: "ANTHROPIC_KEY", hints: ["sk-ant-"], pattern: /(?<!\w)sk-ant-[\w-]{20,255}(?![\w-])/g },
  {
    label: "OPENAI_KEY",
    hints: ["sk-"],
    pattern: /(?<![\w-])sk-(?!ant-)(?:(?:proj|svcacct|admin)-[\w-]{20,255}|[A-Za-z0-9]{32,255})(?![\w-])/g,
  },
  {
    label: "STRIPE_KEY",
    hints: ["k_live_", "k_test_"],
    pattern: /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}(?!\w)/g,
  },
  { label: "STRIPE_WEBHOOK", hints: ["whsec_"], pattern: /(?<!\w)whsec_[A-Za-z0-9+/=]{24,255}(?![\w+/=])/g },
  { label: "GOOGLE_KEY", hints: ["AIza"], pattern: /(?<!\w)AIza[\w-]{35}(?![\w-])/g },
  { label: "GOOGLE_TOKEN", hints: ["ya29."], pattern: /(?<!\w)ya29\.[\w-]{20,1024}(?![\w-])/g },
  { label: "GOOGLE_SECRET", hints: ["GOCSPX-"], pattern: /(?<!\w)GOCSPX-[\w-]{20,64}(?![\w-])/g },
  { label: "NPM_TOKEN", hints: ["pm_"], pattern: /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g },
  { label: "PYPI_TOKEN", hints: ["pypi-"], pattern: /(?<!\w)pypi-[\w-]{50,512}(?![\w-])/g },
  {
    label: "SENDGRID_KEY",
    hints: ["SG."],
    pattern: /(?<!\w)SG\.[\w-]{16,32}\.[\w-]{32,64}(?![\w-])/g,
  },
  { label: "TWILIO_KEY", hints: ["SK"], pattern: /(?<!\w)SK[0-9a-f]{32}(?!\w)/g },
  { label: "HUGGINGFACE_TOKEN", hints: ["hf_"], pattern: /(?<!\w)hf_[A-Za-z0-9]{30,64}(?!\w)/g },
  { label: "DIGITALOCEAN_TOKEN", hints: ["do"], pattern: /(?<!\w)do[oprt]_v1_[0-9a-f]{64}(?!\w)/g },
  { label: "SHOPIFY_TOKEN", hints: ["shp"], pattern: /(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?!\w)/g },
  { label: "VAULT_TOKEN", hints: ["hvs."], pattern: /(?<!\w)hvs\.[\w-]{24,255}(?![\w-])/g },
  { label: "HOLDFAST_TOKEN", hints: ["holdfast_"], pattern: /(?<!\w)holdfast_[\w-]{43}(?![\w-])/g },
  { label: "AGE_KEY", hints: ["AGE-SECRET-KEY-1"], pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,64}(?!\w)/g },
  {
    label: "JWT",
    hints: ["yJ"],
    pattern: /(?<!\w)eyJ[\w-]{10,2048}\.eyJ[\w-]{10,4096}\.[\w-]{16,1024}(?![\w-])/g,
  },
  {
    label: "BEARER_TOKEN",
    hints: ["Bearer", "bearer"],
    pattern: /(?<!\w)[Bb]earer ((?=[\w.~+/-]{0,512}\d)[\w.~+/-]{20,2048}={0,2})(?![\w.~+/=-])/g,
  },
  {
    label: "URL_PASSWORD",
    hints: ["://"],
    pattern: /(?<![\w+.-])[A-Za-z][\w+.-]{1,20}:\/\/[^\s:@/"'`<>]{0,128}:([^\s@/"'`<>${}]{3,256})@/g,
  },
  {
    label: "NETRC_PASSWORD",
    hints: ["password "],
    pattern: /(?<!\S)password[ \t]{1,8}([^\s"=:]{3,256})(?!\S)/g,
    inCredentialsOnly: true,
  },
  {
    label: "PGPASS_PASSWORD",
    hints: [":"],
    pattern: /^[^\s:#]{1,128}:(?:\d{1,5}|\*):[^\s:]{1,128}:[^\s:]{1,128}:([^\r\n]{1,256})$/gm,
    inCredentialsOnly: true,
  },
  {
    label: "PASSWORD_HASH",
    hints: [":$", ":{SHA}"],
    pattern: /^[^\s:#]{1,128}:(\$[^\s:]{10,256}|\{SHA\}[^\s:]{10,256})/gm,
    inCredentialsOnly: true,
  },
];
