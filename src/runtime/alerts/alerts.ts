import { randomUUID } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import { quoted } from "../../text/quote.ts";
import type { Rates } from "../rules/rates.ts";
import { mapStrings } from "../secrets/redact-answer.ts";
import type { SecretRedactor } from "../secrets/redactor.ts";

export const SEVERITIES = ["info", "warning", "critical"] as const;

/** What an agent wants a person to know. */
export interface Alert {
  readonly alert_id: string;
  readonly time: string;
  readonly session: string;
  readonly severity: (typeof SEVERITIES)[number];
  readonly message: string;
  readonly context?: unknown;
}

/** A way to reach people. Rejects when it did not. */
export interface AlertTarget {
  readonly name: string;
  send(alert: Alert): Promise<void>;
}

/** The alert as it was sent, and the ways by which it arrived. */
export interface RaisedAlert extends Alert {
  readonly delivered_to: readonly string[];
}

/** What of a session it takes to tell people. */
export interface AlertContext {
  readonly facts: { readonly id: string };
  readonly rates: Rates;
  readonly redactor: Pick<SecretRedactor, "redactText">;
  readonly alertTargets: readonly AlertTarget[];
  readonly warn: (message: string) => void;
}

/**
 * Tells people by all ways at once, without the values of secrets. One that fails does not hold up the others; its failure
 * is told to the operator.
 */
export async function raiseAlert(
  { facts, rates, redactor, alertTargets, warn }: AlertContext,
  said: Pick<Alert, "severity" | "message" | "context">,
): Promise<RaisedAlert> {
  const shown = mapStrings(said, redactor.redactText) as typeof said;
  if (rates.isExceeded(RATE)) throw tooManyAlertsFault();
  rates.count(RATE);
  const alert = { alert_id: randomUUID(), time: isoOf(Date.now()), session: facts.id, ...shown };
  const arrivals = await Promise.allSettled(alertTargets.map((way) => way.send(alert)));
  arrivals.forEach((arrival, nth) => {
    if (arrival.status === "rejected") warn(`Cannot alert by ${alertTargets[nth]?.name}: ${String(arrival.reason)}`);
  });
  const delivered = alertTargets.filter((_, nth) => arrivals[nth]?.status === "fulfilled").map(({ name }) => name);
  return { ...alert, delivered_to: delivered };
}

/** People who are told too much stop listening. */
const RATE = { key: "alerts", max: LIMITS.alertsMost, windowMs: LIMITS.alertsMs };

const tooManyAlertsFault = (): Fault =>
  new Fault("loop", `Cannot send the alert: there were ${RATE.max} in the last ${RATE.windowMs / 1000} s`, {
    hint: "People have been told: go on without them, or wait",
  });

/** An alert as one line, whatever an agent puts into it. */
export const alertLine = ({ severity, message, context }: Alert): string =>
  `${severity}: ${quoted(message)}${context === undefined ? "" : ` ${JSON.stringify(context)}`}`;
