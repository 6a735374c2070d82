/** Matches files that hold nothing but a key, and stores of passwords and tokens. */
export const SECRETS: readonly string[] = [
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  "*.{pem,key,ppk,p12,pfx,jks,keystore,kdbx,agekey}",
  ".netrc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".pypirc",
  ".htpasswd",
  ".vault-token",
  "**/.gnupg/**",
  "**/.aws/credentials",
  "**/.aws/sso/**",
  "**/.azure/**",
  "**/.config/gcloud/**",
  "**/.config/gh/hosts.yml",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/.password-store/**",
  "**/.local/share/keyrings/**",
  "**/.mozilla/firefox/**",
];

/** Matches settings that often hold a password among others. */
export const ENVIRONMENTS: readonly string[] = [
  ".env",
  ".env.{local,dev,development,test,staging,stage,prod,production}",
  ".env.*.local",
  "*.env",
  ".envrc",
  ".npmrc",
];

/** Matches all of these and common names of copies. These files are shown without their secrets. */
export const SENSITIVE_GLOBS: readonly string[] = [
  ...SECRETS,
  ...ENVIRONMENTS,
  ".env*",
  "*.env.*",
  ".npmrc*",
  ".yarnrc.yml",
  "*.tfvars",
  "credentials",
  "credentials.{json,yml,yaml,toml,ini,xml}",
  "secrets.{json,yml,yaml,toml,ini}",
  "service-account*.json",
  ".dockerconfigjson",
  "kubeconfig",
];
