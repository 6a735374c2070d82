import { mapStrings } from "../../base/json.ts";
import { randomUUID } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import { quoted } from "../../text/quote.ts";
import type { RateCounters } from "../rules/rate-limits.ts";
import type { SecretRedactor } from "../secrets/redactor.ts";

export const SEVERITIES = ["info", "warning", "critical"] as const;

/** Holds what an agent wants a person to know. */
export interface Alert {
  readonly alert_id: string;
  readonly time: string;
  readonly session: string;
  readonly severity: (typeof SEVERITIES)[number];
  readonly message: string;
  readonly context?: unknown;
}

/** Delivers alerts to people. Rejects when it could not. */
export interface AlertTarget {
  readonly name: string;
  send(alert: Alert): Promise<void>;
}

/** Holds the alert as it was sent, and the targets that received it. */
export interface SentAlert extends Alert {
  readonly delivered_to: readonly string[];
}

/** Holds what raising an alert needs of a session. */
export interface AlertContext {
  readonly facts: { readonly id: string };
  readonly rates: RateCounters;
  readonly redactor: Pick<SecretRedactor, "redactText">;
  readonly alertTargets: readonly AlertTarget[];
  readonly warn: (message: string) => void;
}

/**
 * Sends an alert to all targets at once, without values of secrets. A target that fails does not hold up the others;
 * the operator is warned of it.
 */
export async function raiseAlert(
  { facts, rates, redactor, alertTargets, warn }: AlertContext,
  content: Pick<Alert, "severity" | "message" | "context">,
): Promise<SentAlert> {
  const shown = mapStrings(content, redactor.redactText) as typeof content;
  if (rates.isExceeded(RATE)) throw tooManyAlertsFault();
  rates.count(RATE);
  const alert = { alert_id: randomUUID(), time: isoOf(Date.now()), session: facts.id, ...shown };
  const results = await Promise.allSettled(alertTargets.map((target) => target.send(alert)));
  results.forEach((result, nth) => {
    if (result.status === "rejected") warn(`Cannot alert by ${alertTargets[nth]?.name}: ${String(result.reason)}`);
  });
  const delivered = alertTargets.filter((_, nth) => results[nth]?.status === "fulfilled").map(({ name }) => name);
  return { ...alert, delivered_to: delivered };
}

/** Limits alerts, since people who get too many stop reading them. */
const RATE = { key: "alerts", max: LIMITS.alertsMost, windowMs: LIMITS.alertsMs };

const tooManyAlertsFault = (): Fault =>
  new Fault("loop", `Cannot send the alert: there were ${RATE.max} in the last ${RATE.windowMs / 1000} s`, {
    hint: "People have been told: go on without them, or wait",
  });

/** Renders an alert as one line, whatever an agent puts into it. */
export const alertLine = ({ severity, message, context }: Alert): string =>
  `${severity}: ${quoted(message)}${context === undefined ? "" : ` ${JSON.stringify(context)}`}`;
