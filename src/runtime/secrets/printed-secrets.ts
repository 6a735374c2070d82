import { type DetectionOptions, findSecrets } from "../../text/secrets/redact.ts";
import type { SecretRegistry } from "./registry.ts";

/** Finds secrets in what a program printed, of whatever file, adds them to the registry and returns them. */
export function printedSecrets(
  text: string,
  registry: SecretRegistry,
  isSecretName: DetectionOptions["isSecretName"],
): ReadonlySet<string> {
  const found = [
    ...secretsOf(text, { sensitivity: "anything", isSecretName }),
    // In lines such as those of .env files, also as grep prints them, a secret name is enough.
    ...(text.match(VARIABLE_LINE) ?? []).flatMap((line) =>
      secretsOf(line, { sensitivity: "credentials", isSecretName }),
    ),
  ];
  for (const { value, label } of found) registry.placeholderFor(value, label);
  return new Set(found.map(({ value }) => value));
}

const VARIABLE_LINE = /^(?:[^\s:=]{1,200}:){0,2}(?:export )?[A-Z][A-Z0-9_]*=.*$/gm;

const secretsOf = (text: string, options: DetectionOptions) =>
  findSecrets(text, options).spans.map(({ start, end, label }) => ({ value: text.slice(start, end), label }));
