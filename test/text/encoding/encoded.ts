import { Buffer } from "node:buffer";

/** Texts as bytes, by how they are encoded; and bytes as one writes them. */
export const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
export const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");
export const utf16le = (text: string): Uint8Array => Buffer.from(text, "utf16le");
export const utf16be = (text: string): Uint8Array => Buffer.from(text, "utf16le").swap16();
export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, "hex");
