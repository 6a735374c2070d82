// Runs the commands of an agent in a container that you made, and shows it a directory.
// Run: node examples/container.mjs <container> <directory on this machine>
// The container shows that directory as /workspace: docker run -d --init -v "$PWD:/workspace" <image> sleep infinity
import { createTools } from "holdfast";

const [containerName = "", workspaceDir = "."] = process.argv.slice(2);
const place = { containerName, workspaceDir, containerWorkdir: "/workspace" };

// The container is the fence here: with "full", all that it lets a command do may happen. With "allowlist" you are asked.
const tools = createTools({
  exec: { security: "full" },
  sandbox: { ...place, docker: { env: { STAGE: "test" } }, workspaceAccess: "rw" },
});
const call = async (name, args) => {
  const result = await tools.find((tool) => tool.name === name)?.execute("call-1", args);
  return { ...result?.details, text: (result?.content ?? []).map((block) => ("text" in block ? block.text : "")) };
};

// Here your agent would call the tools.
await call("write", { path: "src/hello.sh", content: 'echo "hello from $STAGE"\n' });
const ran = await call("exec", { command: "bash hello.sh | tee hello.txt", workdir: "/workspace/src" });
console.log(`in ${ran["cwd"]}: ${String(ran["output"]).trim()} (undo: ${ran["undo"]})`);

const { text } = await call("read", { path: "/workspace/src/hello.txt" });
console.log("read:", text.join("\n").split("\n")[0]);

const server = await call("exec", { command: "sleep 1000", background: true });
const ended = await call("process", { action: "kill", processId: server["process_id"] });
console.log("ended:", ended["status"]);
