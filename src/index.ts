export type { NamedStorage, Options } from "./app/options.ts";
export { assertSandboxPath, type SandboxPath, type SandboxPathOptions } from "./app/sandbox-path.ts";
export type { SandboxContext, SandboxToolPolicy } from "./app/sandbox-context.ts";
export { CODES, type Code, Fault, type FaultAnswer } from "./base/errors.ts";
export type { Act, ChannelName, SecretsMode, Verdict } from "./base/verdicts.ts";
export {
  type Dialect,
  type DialectTool,
  dialectTool,
  type FailedCall,
  type DialectAnswer,
  textAnswer,
} from "./dialects/dialect.ts";
export { DIALECT_NAMES, loadDialect } from "./dialects/load.ts";
export type { Native, NativeCalls, NativeName } from "./dialects/native.ts";
export { type AnthropicTool, toAnthropicTools } from "./faces/sdk/adapters/anthropic.ts";
export { type GeminiDeclaration, toGeminiDeclarations } from "./faces/sdk/adapters/gemini.ts";
export { type LangChainTool, toLangChainTools } from "./faces/sdk/adapters/langchain.ts";
export { FileError, type FileErrorCode } from "./faces/sdk/file-error.ts";
export {
  createFileManager,
  type FileInfo,
  type FileManager,
  type FileManagerOptions,
  type ListOptions,
  type ReadOptions,
  type RelocatedFile,
  type RelocateOptions,
  type StorageOptions,
  type WriteOptions,
} from "./faces/sdk/file-manager.ts";
export type { WrittenFile } from "./faces/sdk/large-files.ts";
export {
  type OpenAIChatTool,
  type OpenAIFunctionCall,
  type OpenAIFunctionCallOutput,
  type OpenAIOptions,
  type OpenAIResponsesTool,
  toOpenAIChatTools,
  toOpenAIResponsesTools,
} from "./faces/sdk/adapters/openai.ts";
export { toVercelTools, type VercelTool } from "./faces/sdk/adapters/vercel.ts";
export type { AgentTool, AgentToolResult, ContentBlock, Progress } from "./faces/sdk/agent-tool.ts";
export { createTools, type CreateToolsOptions } from "./faces/sdk/create-tools.ts";
export type { Truncation } from "./faces/sdk/tool-details.ts";
export {
  type CallAnswer,
  type CallFault,
  type CallOptions,
  type CallResult,
  createHoldfast,
  type HistoryOptions,
  type Holdfast,
  type HoldfastOptions,
  type UndoOptions,
} from "./faces/sdk/holdfast.ts";
export type { WatchedEvent, WatchOptions } from "./faces/sdk/watch-events.ts";
export { INVENTORY, type InventoryRow } from "./faces/sdk/inventory.ts";
export type { PluginOption } from "./faces/sdk/checked-plugins.ts";
export { normalizeTool } from "./faces/sdk/normalize-tool.ts";
export type { Policy } from "./faces/sdk/policy.ts";
export type { ToolInput, ToolName, ToolOutput } from "./faces/sdk/tool-types.ts";
export type { Alert, SentAlert } from "./runtime/alerts/alerts.ts";
export type { ApprovalAnswer, ApprovalRequest, RecordedAnswer } from "./runtime/approvals/approval.ts";
export type { ApprovalWebhook } from "./runtime/approvals/webhook.ts";
export type { Approver } from "./runtime/approvals/approvals.ts";
export type { EffectPart } from "./runtime/effects/effect-part.ts";
export type { CallEffect } from "./runtime/effects/call-effect.ts";
export type { HookCommands } from "./runtime/hooks/command-hooks.ts";
export type {
  AfterCall,
  BeforeCallAnswer,
  BeforeCall,
  HookedCall,
  HookedResult,
  Hooks,
} from "./runtime/hooks/hooks.ts";
export type { LoopDetection } from "./runtime/loops/guard.ts";
export type { Notice, NoticeSink } from "./runtime/pipeline/notices.ts";
export type { JobEnd, JobEndSink } from "./runtime/sessions/job-ends.ts";
export type { RuleSource } from "./runtime/rules/live-policy.ts";
export type { Definition } from "./runtime/pipeline/surface.ts";
export type { ToolPolicyConfig } from "./runtime/tools/config.ts";
export type { AgentContext } from "./runtime/tools/filter-steps.ts";
export { PLUGIN_KIT, type PluginKit } from "./plugins/kit.ts";
export { definePlugin, type Plugin, type PluginModule, type ServerProgram } from "./plugins/plugin.ts";
export type { JsonSchema } from "./schema/listed-schema.ts";
export type { Provider } from "./schema/providers.ts";
export type { SandboxFileStat, SandboxFsBridge } from "./storage/bridge/fs-bridge.ts";
export type { Facts, Kind, ObjectName, SafePath } from "./storage/facts.ts";
export { type MemoryFiles, type MemoryStorage, memoryStorage } from "./storage/memory/memory-storage.ts";
export { memoryObjects } from "./storage/objects/memory-objects.ts";
export type { Cancellation } from "./base/time-slicing.ts";
export type { GuardedStore } from "./storage/objects/guarded-store.ts";
export { objectStorage, type ObjectStorageOptions } from "./storage/objects/object-storage.ts";
export type {
  Key,
  ObjectContent,
  ObjectFacts,
  ObjectStore,
  StoreCallOptions,
  When,
} from "./storage/objects/object-store.ts";
export type { Log, State } from "./storage/state.ts";
export type {
  Capabilities,
  Containment,
  Destination,
  DirectoryHandle,
  Entry,
  Hint,
  LastLink,
  MountableStorage,
  OpenDirectory,
  OpenFile,
  Space,
  Storage,
  StorageReader,
  StorageRegistry,
  WatchHandle,
  Writer,
} from "./storage/storage.ts";
export type { Content, Guarantees, Place, Snapshot, Staging, StorageWriter, TreeEntries } from "./storage/writer.ts";
export type {
  HarvestedEntry,
  LayerHarvest,
  LeftEntry,
  RefusedEntry,
  TreeSurvey,
  ViewDirectories,
  ViewLayer,
} from "./storage/views.ts";
export type { BytesOf, StreamedEntry, StreamedTree } from "./storage/streamed-tree.ts";
export type { PictureBytes } from "./storage/picture-entries.ts";
export type { PictureDirectories } from "./storage/pictures.ts";
export { change } from "./tools/fs/changing/change-answer.ts";
export { type TextChange, planTextChange } from "./tools/fs/changing/text-change.ts";
export {
  ADDITIVE,
  type Annotations,
  type Answer,
  answer,
  type Block,
  type ChangeIntent,
  defineTool,
  DESTRUCTIVE,
  type Intent,
  OUTWARD,
  outward,
  type OutwardIntent,
  type ProfileName,
  READ_ONLY,
  type SessionFacts,
  type Tool,
} from "./tools/tool.ts";
export { type ImageSanitizationLimits, sanitizeToolResultImages } from "./tools/result-images.ts";
export { readWholeText } from "./tools/whole-text.ts";
export type { View } from "./workspace/view.ts";
