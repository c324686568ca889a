import { z } from 'zod'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import type { Change } from '../repository/overlay.ts'
import { type TakenWork, takeStored } from '../repository/take-changes.ts'
import { isByproduct } from '../repository/tool-traces.ts'
import type { TreeEntry } from '../repository/tree.ts'
import type { LoadedHarbor } from './harbor-folder.ts'

/**
 * Takes the final state of an attempt that Harbor ran as if it had been made here: what differs from the task's own
 * files. An agent that was given another instruction worked on another task, which is a finding.
 */
export async function takeState(
  { base, task }: LoadedHarbor,
  state: readonly Change[],
  log: string | null,
): Promise<TakenWork> {
  const work = await takeStored(base.flatMap(toEntry), changesOf(base, state), () => 'allowed')
  if (log === null || isTold(log, task.instruction)) return work
  const detail = 'the agent’s log does not contain the instruction of this task'
  return { ...work, findings: [...work.findings, { code: 'other-instruction', detail }] }
}

function toEntry({ path, bytes, executable }: Change): TreeEntry[] {
  if (bytes === null) return []
  return [{ kind: 'file', path, executable, digest: digestBytes(bytes), size: bytes.length }]
}

/** Archives may lose modes, so a file of the task stays a program. */
function changesOf(base: readonly Change[], state: readonly Change[]): Change[] {
  const before = new Map(base.map((one) => [one.path, one]))
  const after = new Set(state.map(({ path }) => path))
  const written = state.flatMap((one): Change[] => {
    const own = before.get(one.path)
    const executable = one.executable || own?.executable === true
    const isSame =
      own?.bytes && one.bytes?.equals(own.bytes) === true && own.executable === executable
    return isSame ? [] : [{ ...one, executable }]
  })
  const deleted = base
    .filter(({ path }) => !after.has(path) && !isByproduct(path))
    .map(({ path }) => ({ path, bytes: null, executable: false }))
  return [...written, ...deleted]
}

const logSchema = z.object({
  steps: z.array(z.looseObject({ source: z.string(), message: z.unknown() })),
})

/** Compares words: agents wrap and indent what they are given. */
function isTold(log: string, instruction: string): boolean {
  const { steps } = logSchema.safeParse(parseJson(log)).data ?? { steps: [] }
  const parts = steps
    .filter(({ source }) => source !== 'agent')
    .map(({ message }) => plainWords(textOf(message)))
  const wanted = plainWords(
    instruction
      .split('\n')
      .filter((line) => !isCanary(line))
      .join('\n'),
  )
  return parts.some((text) => text.includes(wanted))
}

/** A message is a text, or a list of parts. */
function textOf(message: unknown): string {
  if (typeof message === 'string') return message
  if (!Array.isArray(message)) return ''
  return message.map((part) => partSchema.safeParse(part).data?.text ?? '').join('\n')
}

const partSchema = z.object({ text: z.string() })

const plainWords = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Lines by which a benchmark marks its data, which Harbor does not show to agents. */
function isCanary(line: string): boolean {
  return /^(<!--.*canary.*-->|#.*canary.*)$/i.test(line.trim())
}
