import { describe, expect, it } from 'vitest'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { HarborEvaluation } from './judge-harbor.ts'
import { combineSteps } from './judge-steps.ts'

function taskOf(stepReward: 'mean' | 'final'): HarborTask {
  const steps = ['first', 'second'].map((name) => ({ name }))
  return { steps, stepReward } as HarborTask
}

function evaluation(reward: number | null, guess?: number): HarborEvaluation {
  const verdict = reward !== null && reward >= 1 ? ('pass' as const) : ('fail' as const)
  const child = { kind: 'reward', label: 'the reward', expected: '', observed: `${reward}` }
  return {
    contract: {
      verdict,
      assertions: [{ ...child, verdict, children: [] }],
      expectedTests: null,
      executedTests: null,
      passedTests: null,
      ...(guess !== undefined && { guess }),
    },
    findings: [],
    log: `log ${reward}\n`,
    exit: { code: 0, signal: null },
    reward,
    rewards: {},
  }
}

const STOPPED = 'the reward of step first is less than 1'

describe('the steps of an attempt together', () => {
  it.each([
    ['mean', [1, 1], null, 'pass', 1],
    ['mean', [1, 0.5], null, 'fail', 0.75],
    // More than 1 in one step does not make up for another.
    ['mean', [2, 0.5], null, 'fail', 1.25],
    ['mean', [0], STOPPED, 'fail', 0],
    // Steps that were not run count as 0.
    ['mean', [1], STOPPED, 'fail', 0.5],
    ['final', [0, 1], null, 'pass', 1],
    ['final', [1, 0], null, 'fail', 0],
    ['final', [1], STOPPED, 'fail', 0],
    ['mean', [null, 1], null, 'fail', 0.5],
  ] as const)('by %s of %j (%s) are %s with %d', (strategy, rewards, stopped, verdict, reward) => {
    const evaluations = rewards.map((one) => evaluation(one))
    const whole = combineSteps(taskOf(strategy), { evaluations, stopped })
    expect([whole.contract.verdict, whole.reward]).toEqual([verdict, reward])
    expect(whole.contract.assertions.map(({ label }) => label)).toEqual([
      'step 1 of 2: first',
      'step 2 of 2: second',
    ])
  })

  it('show each step, and those that were not run with the reason', () => {
    const { contract, log } = combineSteps(taskOf('mean'), {
      evaluations: [evaluation(0.5)],
      stopped: STOPPED,
    })
    expect(contract.assertions.map(({ observed, verdict }) => [observed, verdict])).toEqual([
      ['reward 0.5', 'fail'],
      [`not run: ${STOPPED}`, 'fail'],
    ])
    expect(log).toBe('# step 1 of 2: first\nlog 0.5\n')
  })

  it('are as easy to guess as the easiest of them', () => {
    const evaluations = [evaluation(1, 0.25), evaluation(1, 0.0001)]
    expect(combineSteps(taskOf('mean'), { evaluations, stopped: null }).contract.guess).toBe(0.25)
  })
})
