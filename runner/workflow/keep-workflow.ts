import { join } from 'node:path'
import { TRACE_FILE } from '#lib/domain/browser/traced-action.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { CALLS_FILE, type EvidenceFile } from '#lib/domain/episode.ts'
import type { Firing } from '../apps/app-house.ts'
import type { Visit } from '../arena.ts'
import type { SubjectEnding } from '../controls/subject-driver.ts'
import { closeLog, RECORDING_FILE } from '../phases/collect-evidence.ts'
import { redactText } from '../redact/redact-text.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import type { FinalView } from './read-final-view.ts'
import type { Played } from './workflow-player.ts'

const MOST_STATE_CHARACTERS = 1 << 20

type Sources = {
  visit: Visit
  ending: SubjectEnding
  played: Played | null
  view: FinalView | null
  firing: Firing | null
}

type Wanted = { role: EvidenceFile['role']; path: string; bytes: Buffer }

/** Puts step trace, final state, screenshot and what the gateway kept beside the log, each named by digest and size. */
export async function keepWorkflow({ visit, ...parts }: Sources): Promise<EvidenceFile[]> {
  const clean = (text: string) => Buffer.from(redactText(text, visit.find).text)
  const wanted = [...played(parts, clean), ...viewed(parts, clean), ...metered(parts.ending)]
  const kept = await Promise.all(wanted.map((one) => keep(visit.attemptFolder, one)))
  return [closeLog(visit.log), ...kept]
}

type Clean = (text: string) => Buffer

function played({ played }: Pick<Sources, 'played'>, clean: Clean): Wanted[] {
  if (played === null) return []
  return [{ role: 'events', path: TRACE_FILE, bytes: clean(lines(played.actions)) }]
}

function viewed({ view, firing }: Pick<Sources, 'view' | 'firing'>, clean: Clean): Wanted[] {
  if (view === null) return []
  const { state, requests, url, screenshot } = view
  const text = `${JSON.stringify({ url, fault: firing, state, requests }, null, 2)}\n`
  const whole = text.length <= MOST_STATE_CHARACTERS
  const shown = whole ? text : `${text.slice(0, MOST_STATE_CHARACTERS)}\n[cut]\n`
  const evidence: Wanted = {
    role: 'contract-evidence',
    path: 'final-state.json',
    bytes: clean(shown),
  }
  if (screenshot === null) return [evidence]
  return [evidence, { role: 'screenshot', path: 'final.png', bytes: screenshot }]
}

function metered({ calls, recording }: SubjectEnding): Wanted[] {
  const wanted: Wanted[] = []
  if (calls) wanted.push({ role: 'events', path: CALLS_FILE, bytes: Buffer.from(lines(calls)) })
  if (recording)
    wanted.push({
      role: 'gateway-recording',
      path: RECORDING_FILE,
      bytes: Buffer.from(recording),
    })
  return wanted
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

async function keep(folder: string, { role, path, bytes }: Wanted): Promise<EvidenceFile> {
  await writeAtomic(join(folder, path), bytes)
  return { role, path, digest: digestBytes(bytes), sizeBytes: bytes.length, droppedBytes: 0 }
}
