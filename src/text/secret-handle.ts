/** How every handle begins. */
export const HANDLE_BEGINS = "‹secret:";

/** What stands for a secret in everything that is told: `‹secret:AWS_KEY#1›`. */
export const secretHandle = (label: string, number: number): string => `${HANDLE_BEGINS}${label}#${number}›`;

/** Every handle in a text. */
export const HANDLES = /\u2039secret:[A-Z0-9_]{1,40}#\d{1,9}\u203a/g;
