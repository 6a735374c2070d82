import { visible } from "../../../../text/quote.ts";

/** Escapes what is invisible in a name, which then is one line and reads in one direction. */
export const shown = (name: string): string => visible(name).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
