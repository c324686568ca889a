import { createHash } from 'node:crypto'
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Digest } from '#lib/domain/digest/index.ts'
import { cutText } from '#lib/domain/text/index.ts'
import type {
  TranscriptEnd,
  TranscriptFindings,
  TranscriptHead,
  TranscriptStep,
} from '#lib/domain/transcript/index.ts'
import type { FindSecrets } from '../redact/find-secrets.ts'
import { redactText } from '../redact/redact.ts'

/** Stored characters of one text; the rest is only counted. */
export const MAX_TEXT_CHARS = 64 << 10
/** Maximum size of the file, equal to that of a log; further steps are only counted. */
export const MAX_TRANSCRIPT_BYTES = 16 << 20
/** Searched beyond the cut, so that a secret crossing the cut is found. */
const MARGIN_CHARS = 8 << 10
/** Names, ids and paths come from outside as well. */
const MAX_NAME_CHARS = 200
const MAX_TOOL_CALLS = 100
/** Maximum buffered bytes when many calls end at once. */
const MAX_PENDING_BYTES = 256 << 10

export type StepDraft = Omit<TranscriptStep, 'kind' | 'index' | 'cutChars'>

/**
 * The file of one transcript: writes steps as they come, without secrets and within limits, so that the file is
 * readable even after the runner was killed.
 */
export class TranscriptFile {
  readonly path: string
  readonly #find: FindSecrets
  readonly #limits
  readonly #hash = createHash('sha256')
  readonly #home = homedir()
  #isClosed = false
  #pending: Buffer[] = []
  #pendingBytes = 0
  #size = 0
  #steps = 0
  #droppedSteps = 0
  #cutChars = 0
  #redactions = 0

  constructor(
    path: string,
    find: FindSecrets,
    head: Omit<TranscriptHead, 'kind' | 'version' | 'limits'>,
    limits = { textChars: MAX_TEXT_CHARS, bytes: MAX_TRANSCRIPT_BYTES },
  ) {
    this.path = path
    this.#find = find
    this.#limits = limits
    this.#write(BEGIN, Buffer.alloc(0))
    this.#append({ kind: 'transcript', version: 1, ...head, limits })
  }

  add(draft: StepDraft): void {
    if (this.#size >= this.#limits.bytes) {
      this.#droppedSteps += 1
      return
    }
    const before = this.#cutChars
    const cleaned = this.#clean(draft)
    const cutChars = this.#cutChars - before
    this.#steps += 1
    this.#append({ kind: 'step', index: this.#steps, ...cleaned, cutChars })
  }

  /** Writes the last line; later steps are dropped. */
  end(about: Pick<TranscriptEnd, 'threads' | 'changes'>): void {
    this.#append({
      kind: 'end',
      steps: this.#steps,
      droppedSteps: this.#droppedSteps,
      cutChars: this.#cutChars,
      redactions: this.#redactions,
      ...about,
      changes: this.#cleanChanges(about.changes),
    })
  }

  /** Returns the whole file; null if another process has changed it. */
  read(): string | null {
    this.flush()
    const bytes = readFileSync(this.path)
    const digest = createHash('sha256').update(bytes).digest('hex')
    return digest === this.#hash.copy().digest('hex') ? bytes.toString('utf8') : null
  }

  /** Adds the findings of the scanners, and returns the envelope's entry for the file. */
  close(findings: Omit<TranscriptFindings, 'kind'> | null): {
    digest: Digest
    sizeBytes: number
    droppedBytes: number
  } {
    if (findings !== null) this.#append({ kind: 'findings', ...findings })
    this.flush()
    this.#write(APPEND, Buffer.alloc(0), true)
    this.#isClosed = true
    const digest: Digest = `sha256:${this.#hash.copy().digest('hex')}`
    return { digest, sizeBytes: this.#size, droppedBytes: this.#cutChars }
  }

  #clean(draft: StepDraft): StepDraft {
    const { text, reasoning, toolResult, toolCalls } = draft
    return {
      ...draft,
      text: text === null ? null : this.#cut(text),
      reasoning: reasoning === null ? null : this.#cut(reasoning),
      model: this.#name(draft.model),
      trouble: this.#name(draft.trouble),
      toolResult: toolResult && {
        callId: this.#name(toolResult.callId),
        text: this.#cut(toolResult.text),
      },
      toolCalls: toolCalls.slice(0, MAX_TOOL_CALLS).map((call) => ({
        id: this.#name(call.id),
        name: this.#name(call.name) ?? '',
        arguments: this.#cut(call.arguments),
      })),
      changes: this.#cleanChanges(draft.changes),
    }
  }

  #cleanChanges(changes: StepDraft['changes']): StepDraft['changes'] {
    if (changes === null) return null
    const files = changes.files.map((file) => ({ ...file, path: this.#name(file.path) ?? '' }))
    return { ...changes, files }
  }

  #name(text: string | null): string | null {
    return text === null ? null : this.#cut(text, MAX_NAME_CHARS)
  }

  #cut(text: string, max = this.#limits.textChars): string {
    const { text: clean, replaced } = redactText(wholeSecrets(text, max, this.#find), this.#find)
    this.#redactions += replaced
    const homeless = this.#home.length > 1 ? clean.replaceAll(`${this.#home}/`, '~/') : clean
    this.#cutChars += Math.max(0, text.length - max)
    return cutText(homeless, max)
  }

  #append(line: object): void {
    if (this.#isClosed) return
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#hash.update(bytes)
    this.#size += bytes.length
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    if (this.#pendingBytes >= MAX_PENDING_BYTES) this.flush()
  }

  /** Writes pending steps. */
  flush(): void {
    if (this.#pendingBytes === 0) return
    this.#write(APPEND, Buffer.concat(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
  }

  /** Opens the file for each write, so that no ending of an attempt leaks a descriptor. */
  #write(flags: number, bytes: Uint8Array, isLast = false): void {
    const descriptor = openSync(this.path, flags, 0o644)
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset)
      if (isLast) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

const BEGIN = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW

/**
 * Returns a text up to the cut, or to the end of a secret that crosses it: what follows could be half of the next one.
 */
function wholeSecrets(text: string, max: number, find: FindSecrets): string {
  if (text.length <= max) return text
  const found = find(text.slice(0, max + MARGIN_CHARS))
  const across = found.find(({ start, end }) => start < max && end > max)
  return text.slice(0, across?.end ?? max)
}
