import { type Arm, digestArm } from '#lib/domain/record/index.ts'
import { type BoardAttack, expectLabelled, mustRegister, sendRegistered } from '../attack.ts'
import type { AttackedBoard, AttackSender } from '../attacked-board.ts'
import { newRunId, type PlanChanges, type RunChanges } from '../forge.ts'

const arm = (name: string, promptPrefix?: string): Arm => {
  const content = { files: [], mcpServers: [], ...(promptPrefix && { promptPrefix }) }
  return { name, digest: digestArm(content), ...content }
}
const SKILLS = [1, 2, 3, 4, 5, 6, 7].map((at) => arm(`skill-${at}`, `Think ${at} times.`))
const fails: RunChanges = { attempts: () => ['failed'] }
const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** Expects this text on the board's page. */
const shown = (words: RegExp): BoardAttack['expected'] => ({
  end: 'shown',
  find: (_row, _board, page) => words.exec(page)?.[0] ?? null,
})

/** Registers nine plans of which nothing is sent, or only what `run` returns. */
async function withhold(
  ground: AttackedBoard,
  by: AttackSender,
  changesOf: (at: number) => PlanChanges & { name?: string },
  name: string,
  run?: RunChanges,
): Promise<void> {
  for (const at of NINE) {
    const { name: own = name, ...plan } = changesOf(at)
    if (run) await sendRegistered(ground, own, { by, plan, run })
    else
      await mustRegister(ground, by, {
        plan: ground.plan(own, plan),
        runs: [{ runId: newRunId() }],
      })
  }
}

const stubs: RunChanges = {
  attempts: () => ['void'],
  sends: ({ index }) => index === 0,
}

/** Measured results that were left out without a registered plan of that name, and entries of one subject. */
export const UNSENT_ATTACKS: readonly BoardAttack[] = [
  {
    name: 'best-arm-of-eight',
    tries: 'one of eight arms of a registered run',
    expected: expectLabelled('complete'),
    play: (ground) =>
      sendRegistered(ground, 'best-arm-of-eight', {
        plan: { plan: { arms: [arm('baseline'), ...SKILLS], repetitions: 40 } },
        run: { sends: ({ arm: name }) => name === 'skill-4' },
      }),
  },
  {
    name: 'other-arms-begun',
    tries: 'the same, with one episode of each other arm',
    expected: expectLabelled('complete', 'samples'),
    play: (ground) => {
      const begun = new Set<string>()
      const isFirst = (name: string) => !begun.has(name) && begun.add(name).has(name)
      return sendRegistered(ground, 'other-arms-begun', {
        plan: { plan: { arms: [...SKILLS.slice(3, 4), ...SKILLS.slice(0, 3)], repetitions: 20 } },
        run: { sends: ({ arm: name = '' }) => name === 'skill-4' || isFirst(name) },
      })
    },
  },
  {
    name: 'settled-by-stubs',
    tries: 'plans of nine other versions, each settled by one excluded episode',
    expected: shown(/9 unfinished entries of this/),
    play: async (ground) => {
      const name = 'settled-by-stubs'
      const by = await ground.token(name)
      await withhold(ground, by, (at) => ({ subject: { version: `1.${at}.0` } }), name, stubs)
      return sendRegistered(ground, name, { by })
    },
  },
  {
    name: 'renamed-between-plans',
    tries: 'plans of one agent under ten names, one of them sent',
    expected: shown(/9 other registered plans of its sender/),
    play: async (ground) => {
      const name = 'renamed-between-plans'
      const by = await ground.token(name)
      await withhold(ground, by, (at) => ({ name: `${name}-${at}` }), name)
      return sendRegistered(ground, name, { by })
    },
  },
  {
    name: 'spaced-instruction',
    tries: 'ten plans whose instruction has other spaces, one of them sent',
    expected: expectLabelled('registered'),
    play: async (ground) => {
      const name = 'spaced-instruction'
      const by = await ground.token(name)
      const instructed = (at: number) => ({
        settings: { customInstruction: `Be careful.${' '.repeat(at)}` },
      })
      await withhold(ground, by, instructed, name)
      return sendRegistered(ground, name, { by, plan: instructed(0) })
    },
  },
  {
    name: 'split-by-instruction',
    tries: 'one subject in two rows, split by the text of its instruction',
    expected: shown(/one of 2 entries of this/),
    play: async (ground) => {
      const name = 'split-by-instruction'
      const by = await ground.token(name)
      const plan = (customInstruction: string) => ({ settings: { customInstruction } })
      await sendRegistered(ground, name, { by, plan: plan('Be quick.'), run: fails })
      return sendRegistered(ground, name, { by, plan: plan('Be careful.') })
    },
  },
  {
    name: 'split-by-token',
    tries: 'the same subject by two tokens of one person, both sent',
    expected: shown(/one of 2 entries of this/),
    play: async (ground) => {
      const name = 'split-by-token'
      const [one, other] = await ground.tokensOfPerson(name)
      await sendRegistered(ground, name, { by: one, run: fails })
      return sendRegistered(ground, name, { by: other, plan: { settings: { seed: 2 } } })
    },
  },
  {
    name: 'bad-half-removed',
    tries: 'a subject split by a limit, of which an administrator removes the bad entry',
    expected: shown(/1 registered run removed from the ledger/),
    play: async (ground) => {
      const name = 'bad-half-removed'
      const by = await ground.token(name)
      const bad = { by, plan: { settings: { maxTokens: 900_000 } }, run: fails }
      const { run } = await sendRegistered(ground, name, bad)
      const sent = await sendRegistered(ground, name, { by })
      await ground.correct('remove', run.runId)
      return sent
    },
  },
]
