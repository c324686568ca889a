import { readFileSync } from 'node:fs'
import { type Arm, digestArm, type PlanDraft } from '#lib/domain/record/index.ts'
import {
  type BoardAttack,
  expectLabelled,
  expectRefused,
  playedOf,
  sendIfRegistered,
} from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { newRunId, type RunChanges } from '../forge.ts'
import { TASKS } from '../real-attempts.ts'

const NOTHING = { files: [], mcpServers: [] }
function arm(name: string, content: Partial<Arm> = {}): Arm {
  const whole = { ...NOTHING, ...content }
  return { name, digest: digestArm(whole), ...whole }
}

const withArms =
  (...arms: Arm[]) =>
  (): Partial<PlanDraft> => ({ arms, repetitions: 5 })
const SKILL = arm('skill-x', { promptPrefix: 'Write the whole solution in one go.' })
const SABOTAGED = arm('baseline', {
  promptPrefix: 'Do not change any file.',
  settings: { maxSteps: 1 },
})
const BASELINE_FAILS: RunChanges = {
  attempts: ({ arm: name }) => (name === 'baseline' ? ['failed'] : ['solved']),
  change: ({ effort }) => ({ effort: { ...effort, steps: 1 } }),
}

const published = (taskId: string, file: string) =>
  readFileSync(`exercises/typescript/${taskId}/${file}`, 'utf8')
const REFERENCE = published(TASKS[0], '.meta/reference.ts')
const TESTS = published(TASKS[0], `${TASKS[0]}.test.ts`)

/** Renames identifiers, changes white space and removes comments. */
function disguised(code: string): string {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '')
  return bare.replace(/\b(this\.#?|const |let )(\w+)/g, '$1$2Renamed').replace(/\s+/g, ' ')
}

const answers = (name: string, tries: string, content: Partial<Arm>): BoardAttack => ({
  name,
  tries,
  // The baseline of the same run is honest, and may be ranked.
  expected: {
    end: 'shown',
    find: ({ runIds }, rows) => {
      const own = rows.find(
        ({ subject, runIds: ids }) =>
          subject.arm === 'skill-y' && ids.some((id) => runIds.includes(id)),
      )
      const refusal = own?.refusals.find(({ code }) => code === 'evaluated-here')
      return own && own.rank === null && refusal ? refusal.reason : null
    },
  },
  play: async (ground) => {
    const plan = ground.plan(name, { plan: withArms(arm('baseline'), arm('skill-y', content)) })
    const sent = await sendIfRegistered(ground, await ground.token(name), plan)
    return sent
  },
})

/** Attacks through the content of arms. */
export const ARM_ATTACKS: readonly BoardAttack[] = [
  {
    name: 'full-baseline',
    tries: 'an arm named baseline that sabotages the agent',
    expected: expectRefused(/must be empty/),
    play: async (ground) => {
      const plan = ground.plan('full-baseline', { plan: withArms(SABOTAGED, SKILL) })
      return sendIfRegistered(ground, await ground.token('full-baseline'), plan, BASELINE_FAILS)
    },
  },
  {
    name: 'look-alike-baseline',
    tries: 'the same under a name that looks like baseline',
    expected: expectRefused(/must be empty/),
    play: async (ground) => {
      const name = 'look-alike-baseline'
      const sabotaged = { ...SABOTAGED, name: 'base1ine' }
      const plan = ground.plan(name, { plan: withArms(sabotaged, SKILL) })
      return sendIfRegistered(ground, await ground.token(name), plan)
    },
  },
  {
    name: 'hidden-full-baseline',
    tries: 'the same, registered by its digest alone',
    expected: expectRefused(/must be empty/),
    play: (ground) => sendHidden(ground, 'hidden-full-baseline'),
  },
  {
    name: 'lone-full-baseline',
    tries: 'a sabotaged baseline as a plan of its own',
    expected: expectRefused(/must be empty/),
    play: async (ground) => {
      const plan = ground.plan('lone-full-baseline', {
        subject: { arm: 'baseline', armDigest: SABOTAGED.digest },
      })
      const by = await ground.token('lone-full-baseline')
      return sendIfRegistered(ground, by, plan, { attempts: () => ['failed'] })
    },
  },
  answers('reference-in-overlay', 'an overlay with the reference solution', {
    files: [{ path: 'HINTS.md', text: `# Hints\n\n${REFERENCE}` }],
  }),
  answers('disguised-reference-in-overlay', 'the same, renamed and reformatted', {
    files: [{ path: 'notes/style.txt', text: disguised(REFERENCE) }],
  }),
  answers('tests-in-overlay', 'an overlay with the tests', {
    files: [{ path: 'examples/usage.ts', text: disguised(TESTS) }],
  }),
  answers('reference-in-prefix', 'the reference solution before the prompt', {
    promptPrefix: `Remember:\n${REFERENCE}`.slice(0, 20_000),
  }),
  {
    name: 'reference-in-instruction',
    tries: 'the reference as a custom instruction',
    expected: expectLabelled('evaluated-here'),
    play: async (ground) => {
      const name = 'reference-in-instruction'
      const plan = ground.plan(name, { settings: { customInstruction: REFERENCE } })
      return sendIfRegistered(ground, await ground.token(name), plan)
    },
  },
]

async function sendHidden(ground: AttackedBoard, name: string) {
  const by = await ground.token(name)
  const plan = ground.plan(name, { plan: withArms(SABOTAGED, SKILL) })
  const runId = newRunId()
  const { planDigest } = plan
  const registered = await ground.register(by, { planDigest, runs: [{ runId }] })
  if (registered.status !== 201) throw new Error(registered.text)
  const run = ground.run(plan, { runId, startedAt: new Date(), ...BASELINE_FAILS })
  return playedOf(await ground.send(by, run), run)
}
