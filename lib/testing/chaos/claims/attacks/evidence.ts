import { readFileSync } from 'node:fs'
import { CALLS_FILE, type Episode, type GatewayCall } from '#lib/domain/record/index.ts'
import {
  type BoardAttack,
  expectLabelled,
  expectRefused,
  playedOf,
  sendRegistered,
} from '../attack.ts'
import type { AttackedBoard } from '../attacked-board.ts'
import { answeredBy, changeCalls, type PlanChanges, type RunChanges } from '../forge.ts'

type Changes = { plan?: PlanChanges; run?: RunChanges; as?: 'zip' | 'bundle' }

/** An attack that is one run of a registered plan. */
const one = (
  name: string,
  tries: string,
  expected: BoardAttack['expected'],
  changes: Changes,
): BoardAttack => ({
  name,
  tries,
  expected,
  play: (ground) => sendRegistered(ground, name, changes),
})

const solutionOf = (taskId: string) => `solution/${taskId}.ts`
const published = (taskId: string, file: string) =>
  readFileSync(`exercises/typescript/${taskId}/${file}`, 'utf8')
const environment = (change: (old: Episode['environment']) => object): RunChanges => ({
  change: (episode) => ({
    environment: { ...episode.environment, ...change(episode.environment) },
  }),
})
const verifier = (digest: string | null) =>
  environment(({ verifier: old }) => ({ verifier: old && digest ? { ...old, digest } : null }))
const harness = (changes: object) =>
  environment((old) => ({ harness: { ...old.harness, ...changes } }))
/** Changes figures in the envelopes, but not in the log of calls. */
const otherCalls = (name: string, tries: string, call: Partial<GatewayCall>) =>
  one(name, tries, expectLabelled('mode-evidence'), {
    run: { files: (files) => ({ ...files, [CALLS_FILE]: changeCalls(files, () => call) }) },
  })
const OTHER = `sha256:${'ab'.repeat(32)}`

/** Attacks on an episode's evidence: its solution, its model calls, the programs that made and judged it. */
export const EVIDENCE_ATTACKS: readonly BoardAttack[] = [
  one(
    'fabricated',
    'live episodes without any evidence file',
    expectLabelled('evaluated-here', 'mode-evidence'),
    {
      as: 'bundle',
    },
  ),
  one('solution-withheld', 'everything but the solutions', expectLabelled('evaluated-here'), {
    run: { files: (files, { taskId }) => ({ ...files, [solutionOf(taskId)]: null }) },
  }),
  one(
    'stub-as-solved',
    'the untouched stub beside a contract that passed',
    expectLabelled('evaluated-here'),
    {
      run: {
        files: (files, { taskId }) => ({
          ...files,
          [solutionOf(taskId)]: published(taskId, `${taskId}.ts`),
        }),
      },
    },
  ),
  one(
    'resealed-edit',
    'a failed attempt reported as solved, digests and seal recomputed',
    expectLabelled('evaluated-here'),
    {
      run: {
        attempts: ({ index }) => (index === 3 ? ['failed'] : ['solved']),
        change: (episode) => (episode.outcome.status === 'solved' ? {} : reportedAsSolved(episode)),
      },
    },
  ),
  one(
    'public-reference',
    'the published reference as the work of an agent',
    expectLabelled('evaluated-here'),
    {
      run: {
        files: (files, { taskId }) => ({
          ...files,
          [solutionOf(taskId)]: published(taskId, '.meta/reference.ts'),
        }),
      },
    },
  ),
  one('one-test', 'contracts of one test', expectLabelled('evaluated-here', 'same-contract'), {
    run: { change: ({ contract }) => ({ contract: contract && oneTest(contract) }) },
  }),
  one(
    'other-tests',
    'contracts with as many tests of other names',
    expectLabelled('same-contract'),
    {
      run: { change: ({ contract }) => ({ contract: contract && renamed(contract) }) },
    },
  ),
  one('no-call-log', 'mode live without the log of model calls', expectLabelled('mode-evidence'), {
    run: { files: (files) => ({ ...files, [CALLS_FILE]: null }) },
  }),
  one('empty-call-log', 'mode live with a log of no calls', expectLabelled('mode-evidence'), {
    run: { files: (files) => ({ ...files, [CALLS_FILE]: '' }) },
  }),
  one(
    'unnamed-call-log',
    'mode live with envelopes that name no log of calls',
    expectLabelled('mode-evidence'),
    {
      run: {
        change: ({ evidence }) => ({
          evidence: evidence.filter(({ path }) => path !== CALLS_FILE),
        }),
      },
    },
  ),
  one('no-recording', 'recorded-real without its recording', expectLabelled('mode-evidence'), {
    run: { change: () => ({ mode: 'recorded-real' }) },
  }),
  one('forked-verifier', 'a verifier of an own fork', expectLabelled('harness'), {
    run: verifier(OTHER),
  }),
  one('unnamed-verifier', 'no word of the verifier', expectLabelled('harness'), {
    run: verifier(null),
  }),
  one(
    'forked-harness',
    'a version of the harness that was never released',
    expectLabelled('harness'),
    {
      run: harness({ version: '0.1.1-mine' }),
    },
  ),
  one('no-commit', 'a harness of no commit', expectLabelled('pins'), {
    run: harness({ commit: null }),
  }),
  one('dirty-harness', 'a harness with changes', expectLabelled('pins'), {
    run: harness({ dirty: true }),
  }),
  one(
    'steps-over',
    'solved beside 10,000 steps with a limit of 50',
    expectRefused(/more steps, tokens, cost or time/),
    {
      run: { change: ({ effort }) => ({ effort: { ...effort, steps: 10_000 } }) },
    },
  ),
  one(
    'cost-over',
    'solved beside $500 with a limit of $2',
    expectRefused(/more steps, tokens, cost or time/),
    {
      run: { change: ({ usage }) => ({ usage: usage && { ...usage, costMicroUsd: 500_000_000 } }) },
    },
  ),
  one(
    'other-model',
    'another model than the pinned one answered',
    expectLabelled('model-observed'),
    { run: answeredBy('model-2') },
  ),
  one(
    'own-temperature',
    'requests with a temperature of the agent’s own under a plan that pins one',
    expectLabelled('temperature-sent'),
    {
      plan: { settings: { temperature: 0 } },
      run: {
        change: ({ usage }) => ({ usage: usage && { ...usage, temperatures: [0.9] } }),
        files: (files) => ({
          ...files,
          [CALLS_FILE]: changeCalls(files, () => ({ temperature: 0.9 })),
        }),
      },
    },
  ),
  ...[
    otherCalls('other-model-unsaid', 'envelopes of the pinned model beside calls of another', {
      model: 'model-2',
    }),
    otherCalls('cheaper-than-its-calls', 'envelopes of a tenth of the cost of their calls', {
      costMicroUsd: 900_000,
    }),
    otherCalls('fewer-tokens-than-its-calls', 'envelopes of fewer tokens than their calls', {
      tokens: { input: 410_000, output: 9000, cacheRead: null, cacheWrite: null, reasoning: null },
    }),
    otherCalls('calls-of-last-month', 'new instants in envelopes beside calls of last month', {
      startedAt: new Date(Date.now() - 30 * 86_400_000).toISOString(),
    }),
  ],
  one('no-sandbox', 'an agent at isolation local', expectLabelled('answers-out-of-reach'), {
    plan: { settings: { isolation: 'local' } },
    run: environment(() => ({ isolation: 'local', subjectUser: 'own' })),
  }),
  one('edited-after-sealing', 'an envelope edited after it was sealed', expectRefused(/seal/), {
    run: { spoil: (episode) => ({ ...episode, effort: { ...episode.effort, steps: 7 } }) },
  }),
  {
    name: 'evidence-swapped',
    tries: 'another solution than the sealed one',
    expected: expectRefused(/is not the file that was sealed/),
    play: swapEvidence,
  },
  {
    name: 'kept-then-changed',
    tries: 'a stored episode, again with other content',
    expected: expectRefused(/already stored with different content/),
    play: async (ground) => {
      const { by, plan, run } = await sendRegistered(ground, 'kept-then-changed')
      const again = ground.run(plan, {
        runId: run.runId,
        change: ({ effort }) => ({ effort: { ...effort, steps: 2 } }),
      })
      return playedOf(await ground.send(by, again), again)
    },
  },
]

async function swapEvidence(ground: AttackedBoard) {
  const { zipFiles, packZip } = await import('../../../corpora/pack-zip.ts')
  const by = await ground.token('evidence-swapped')
  const run = ground.run(ground.plan('evidence-swapped'))
  const [first] = run.episodes
  const folder = `episodes/${first?.taskId}/r1-a1`
  const texts = {
    'result.json': run.bundle,
    [`${folder}/${solutionOf(first?.taskId ?? '')}`]: 'export {}',
  }
  const result = await ground.sendBytes(by, packZip(zipFiles(texts)), 'application/zip')
  return playedOf(result, run)
}

type Contract = NonNullable<Episode['contract']>

function reportedAsSolved({ contract }: Episode): Partial<Episode> {
  return {
    outcome: { status: 'solved' },
    failureCategory: null,
    agentSuccess: true,
    testSuccess: true,
    overallSuccess: true,
    contract: contract && allPassed(contract),
  }
}

function allPassed(contract: Contract): Contract {
  const pass = (one: Contract['assertions'][number]): Contract['assertions'][number] => ({
    ...one,
    verdict: 'pass',
    children: one.children.map(pass),
  })
  return {
    verdict: 'pass',
    assertions: contract.assertions.map(pass),
    ...passedTests(contract.expectedTests),
  }
}

const passedTests = (n: Contract['expectedTests']) => ({
  expectedTests: n,
  executedTests: n,
  passedTests: n,
})

const changeTests = (
  contract: Contract,
  change: (tests: Contract['assertions']) => Contract['assertions'],
): Contract['assertions'] =>
  contract.assertions.map((one) =>
    one.kind === 'tests' ? { ...one, children: change(one.children) } : one,
  )

const oneTest = (contract: Contract): Contract => ({
  verdict: contract.verdict,
  ...passedTests(1),
  assertions: changeTests(contract, (tests) => tests.slice(0, 1)),
})

const renamed = (contract: Contract): Contract => ({
  ...contract,
  assertions: changeTests(contract, (tests) =>
    tests.map((test, index) => ({ ...test, label: `is right ${index}` })),
  ),
})
