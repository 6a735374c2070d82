import { visible } from "../../text/quote.ts";
import { PRODUCT } from "../../base/product.ts";

/** One line for the operator. Standard output belongs to the protocol. */
export const warn = (message: string): void => void process.stderr.write(`${PRODUCT.name}: ${visible(message)}\n`);

/** Text for a person, on standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** What came from files: on a terminal nothing of it may act, elsewhere it stays as it is. */
export const printForeign = (text: string): void => print(process.stdout.isTTY ? visible(text) : text);

/** A client that closed our standard error has stopped listening; that is no reason to stop working. */
process.stderr.on("error", () => {});
