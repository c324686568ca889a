/** Public API of this module; other modules import only this file. */

export * from './call-links.ts'
export * from './check-behaviour.ts'
export * from './cut-step.ts'
export * from './scan.ts'
export {
  type BehaviourResult,
  behaviourResultSchema,
  parseTranscript,
  parseTranscriptLine,
  type ScanFinding,
  type ScannerName,
  scanFindingSchema,
  TRANSCRIPT_FILE,
  type Transcript,
  type TranscriptEnd,
  type TranscriptFindings,
  type TranscriptHead,
  type TranscriptMark,
  type TranscriptRole,
  type TranscriptStep,
  type TranscriptToolCall,
  transcriptEndSchema,
  transcriptHeadSchema,
  transcriptStepSchema,
  type WorkspaceChange,
  type WorkspaceChanges,
} from './transcript.ts'
