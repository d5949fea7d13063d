// The library's door.

export { type Estimate, type EstimateOptions, type EstimateSum, estimate } from './commands/estimate.ts';
export { type RedactOptions, type RedactReport, type Replacement, redact } from './commands/redact.ts';
export { RESULT_BYTES, readResult } from './commands/report.ts';
export { type Progress, type RunOptions, run } from './commands/run.ts';
export { type ValidateOptions, type ValidateReport, validate } from './commands/validate.ts';
export { ERRORS, type ErrorCode, type Fault, type Place, UserError } from './errors.ts';
export { type Annotation, type AnnotationContext, annotationsOf } from './render/annotations.ts';
export { type CommentContext, renderComment } from './render/comment.ts';
export { renderHtml } from './render/html.ts';
export { renderJunit } from './render/junit.ts';
export { renderSummary } from './render/summary.ts';
export type { BaseRun, ChangeBlock, FailOn, ReportContext } from './render/verdict.ts';
export type {
  AssistantBlock,
  ChatRequest,
  ChatResponse,
  ImageBlock,
  Json,
  JsonObject,
  Message,
  OpaqueBlock,
  ReasoningBlock,
  Stop,
  TextBlock,
  ToolCallBlock,
  ToolDefinition,
  ToolMessage,
  Usage,
} from './request/request.ts';
export type { Difference, Failure, Miss, Source } from './responder/responder.ts';
export {
  type CaseResult,
  type Counts,
  type Outcome,
  type Problem,
  RESULT_VERSION,
  type RunMode,
  type RunResult,
  type Score,
  type SuiteResult,
  type TakeResult,
  type Tally,
} from './run/result.ts';
export type { Trajectory, TrajectoryStop, Turn } from './target/trajectory.ts';
export { VERSION } from './version.ts';
