// Preloaded by `node --import`: writes the compiled code of the script beside it when the process ends.
import { writeFileSync } from "node:fs";
import vm from "node:vm";
import { sealOf } from "./seal.mjs";

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    process.once("exit", () => {
      const code = this.createCachedData();
      writeFileSync(options.filename.replace(/cjs$/, "cache"), Buffer.concat([sealOf(source, code), code]));
    });
  }
};
