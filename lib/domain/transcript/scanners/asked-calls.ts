import type { TranscriptStep, TranscriptToolCall } from '../transcript.ts'

/** A tool call with the texts of its arguments. */
export type RequestedCall = {
  step: TranscriptStep
  call: TranscriptToolCall
  /** All of them, unescaped: quotes and line ends as intended. */
  texts: string
  /** Commands, paths, queries and addresses, without the contents of files that the call writes. */
  asks: string
}

export function listCalls(steps: readonly TranscriptStep[]): RequestedCall[] {
  return steps.flatMap((step) => step.toolCalls.map((call) => readCall(step, call)))
}

export function indexesOf(calls: readonly RequestedCall[]): number[] {
  return [...new Set(calls.map(({ step }) => step.index))]
}

function readCall(step: TranscriptStep, call: TranscriptToolCall): RequestedCall {
  const named = readTexts(call.arguments)
  const texts = named.map(([, text]) => text).join('\n')
  return { step, call, texts, asks: asksOf(call.name, named, texts) }
}

const WRITES = /write|edit|create|replace|insert|append|patch/i
/** Tools that take notes or brief another agent: neither requests anything. */
const NOTES = /todo|plan|think|memory|agent|^task$/i
/** Arguments that name a place, not content. */
const PLACES = /path|file|dir|uri|url|name|target|command/i
const PATCH = '*** Begin Patch'

function asksOf(tool: string, named: readonly Named[], texts: string): string {
  if (NOTES.test(tool)) return ''
  if (texts.includes(PATCH)) return (texts.match(/^\*\*\* \w+ File: .*$/gm) ?? []).join('\n')
  if (!WRITES.test(tool)) return withoutWritten(texts)
  const places = named.filter(([name, text]) => PLACES.test(name) && !text.includes('\n'))
  return places.map(([, text]) => text).join('\n')
}

const HERE_DOCUMENT =
  /^([^\n]*)<<-?[ \t]*(["']?)(\w+)\2([^\n]*)\n[\s\S]*?(?:\n[ \t]*\3(?=\n|$)|(?![\s\S]))/gm

/** Removes here-documents that are written to a file; those passed to an interpreter are run, and stay. */
function withoutWritten(commands: string): string {
  return commands.replace(HERE_DOCUMENT, (whole, before: string, _quote, _end, after: string) =>
    /[>]|\btee\b|\bpatch\b|\bapply\b/.test(before + after) ? `${before}${after}` : whole,
  )
}

type Named = [member: string, text: string]

/**
 * Returns the texts of a JSON value with the names of their members; if it is not JSON, or was cut, the text itself.
 */
export function readTexts(json: string): Named[] {
  const begins = /^\s*[[{"]/.test(json)
  if (!begins) return [['', json]]
  try {
    const found: Named[] = []
    collect(JSON.parse(json), '', found)
    return found
  } catch {
    return [['', unescapeText(json)]]
  }
}

function collect(value: unknown, name: string, found: Named[]): void {
  if (typeof value === 'string') found.push([name, value])
  else if (Array.isArray(value)) for (const one of value) collect(one, name, found)
  else if (typeof value === 'object' && value !== null)
    for (const [member, one] of Object.entries(value)) collect(one, member, found)
}

function unescapeText(text: string): string {
  return text.replace(/\\([nt"'\\/])/g, (_, sign: string) => ESCAPED[sign] ?? sign)
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t' }
