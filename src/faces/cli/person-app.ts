import { type App, createApp } from "../../app/app.ts";
import type { CommandOptions } from "../../app/options.ts";
import type { Approver } from "../../runtime/approvals/approvals.ts";
import { currentUser } from "./current-user.ts";

/** Opens directories for a person in the console, whose click is the approval. */
export const openPersonApp = (options: CommandOptions, warn: (message: string) => void): App =>
  createApp({
    ...options,
    approver: approvedByClick,
    approverChannel: "console",
    approvalWebhook: undefined,
    principal: "user",
    warn,
  });

const approvedByClick: Approver = async () => ({ decision: "once", who: currentUser() });
