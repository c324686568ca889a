import type {
  ScanFinding,
  Transcript,
  TranscriptStep,
  WorkspaceChanges,
} from '#lib/domain/transcript/index.ts'

type Said = Partial<Omit<TranscriptStep, 'kind' | 'index'>>

const CHANGES: WorkspaceChanges = {
  files: [{ path: 'alpha.ts', kind: 'modified', addedLines: 14, removedLines: 2 }],
  more: 0,
}

const INSTRUCTION =
  'Implement `alpha` in alpha.ts as the instructions say. Work in this folder alone, and do not change the tests.'

const SOURCE = Array.from(
  { length: 30 },
  (_, line) =>
    `${String(line + 1).padStart(3)}  export const part${line} = (value: number) => value + ${line}`,
).join('\n')

type Ending = { isSolved: boolean; taskId: string; model: string | null; name: string }

const ENDING: Ending = { isSolved: true, taskId: 'alpha', model: 'model-a', name: 'agent-a' }

/** A made-up transcript, marked as simulated: a read, an edit, a failing and a passing test, a side request. */
export function sampleTranscript(ending: Partial<Ending> = {}): Transcript {
  const { isSolved, taskId, model, name } = { ...ENDING, ...ending }
  const data: Said[] = [
    { role: 'system', text: 'You are a coding agent. (simulated)' },
    { role: 'user', text: `${INSTRUCTION}\n\nTask: ${taskId}` },
    respond(1, { text: 'I look at what is there.', toolCalls: [bash('c1', 'cat alpha.ts')] }),
    { call: 2, role: 'tool', toolResult: { callId: 'c1', text: SOURCE } },
    respond(2, {
      reasoning: 'Each part adds its place, so the sum has to be taken last.',
      toolCalls: [bash('c2', "sed -i 's/value/total/' alpha.ts && npm test")],
    }),
    {
      call: 3,
      role: 'tool',
      changes: CHANGES,
      toolResult: {
        callId: 'c2',
        text: '\u001b[31mFAIL\u001b[0m alpha.test.ts\n  expected 3, received 2 <b>simulated</b>',
      },
    },
    { call: 4, thread: 2, mark: 'begun', role: 'user', text: 'Give this conversation a title.' },
    respond(4, { thread: 2, text: 'Sums of parts' }),
    respond(3, { toolCalls: [bash('c3', 'npm test')] }),
    {
      call: 5,
      role: 'tool',
      toolResult: { callId: 'c3', text: isSolved ? '8 tests passed' : '6 of 8 tests passed' },
    },
    respond(5, { text: isSolved ? 'All tests pass.' : 'Two tests still fail, and I give up.' }),
  ]
  const steps = addUp(data, model)
  const findings: ScanFinding[] = isSolved
    ? []
    : [{ scanner: 'gave-up', sentence: 'The last answer says “I give up”.', steps: [steps.length] }]
  return {
    head: {
      kind: 'transcript',
      version: 1,
      agent: { name, version: '1.4.2' },
      provider: 'simulated',
      model,
      startedAt: '2026-11-02T00:00:00.000Z',
      limits: { textChars: 65_536, bytes: 16_777_216 },
      simulated: true,
    },
    steps,
    end: {
      kind: 'end',
      steps: steps.length,
      droppedSteps: 0,
      cutChars: 0,
      redactions: 0,
      threads: 2,
      changes: null,
    },
    findings: { kind: 'findings', scannerVersion: 1, findings },
    unreadable: 0,
  }
}

/** Formats a transcript as its file. */
export function writeTranscript({ head, steps, end, findings }: Transcript): string {
  const lines = [head, ...steps, end, findings].filter((line) => line !== null)
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function bash(id: string, command: string): TranscriptStep['toolCalls'][number] {
  return { id, name: 'bash', arguments: JSON.stringify({ command }) }
}

function respond(call: number, changes: Said): Said {
  return {
    call,
    role: 'assistant',
    tokens: { input: 900 * call, output: 60, cached: 700 },
    costMicroUsd: 1200,
    ...changes,
  }
}

function addUp(data: readonly Said[], model: string | null): TranscriptStep[] {
  const sums = { input: 0, output: 0, cached: 0, costMicroUsd: 0 }
  return data.map((one, place) => {
    sums.input += one.tokens?.input ?? 0
    sums.output += one.tokens?.output ?? 0
    sums.cached += one.tokens?.cached ?? 0
    sums.costMicroUsd += one.costMicroUsd ?? 0
    return {
      kind: 'step',
      index: place + 1,
      atMs: 700 * place,
      call: 1,
      thread: 1,
      mark: null,
      role: 'user',
      text: null,
      reasoning: null,
      toolCalls: [],
      toolResult: null,
      trouble: null,
      tokens: null,
      costMicroUsd: null,
      changes: null,
      cutChars: 0,
      model: one.role === 'assistant' ? model : null,
      soFar: { ...sums },
      ...one,
    }
  })
}
