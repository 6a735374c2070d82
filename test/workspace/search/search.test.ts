import { searcherContract } from "../../contracts/searcher.ts";
import { builtinSearcher } from "../../../src/workspace/search/builtin-searcher.ts";
import { ripgrepSearcher, searchingView } from "./searching.ts";

searcherContract("ripgrep", searchingView, ripgrepSearcher);
searcherContract("built-in", searchingView, () => builtinSearcher);
