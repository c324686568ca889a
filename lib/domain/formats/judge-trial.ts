import { type ParseResult, refuseInput } from '../text/index.ts'
import type { HarborTrial, Trial } from './harbor-trial.ts'
import type { ReportedAttempt } from './reported-run.ts'
import { judgeScore } from './reported-run.ts'

export type HarborVerdict = Pick<
  ReportedAttempt,
  'outcome' | 'failureCategory' | 'testSuccess' | 'score'
>

/**
 * Judges a trial by the verifier's reward, of several the one named by `scorer`; without a reward, by what stopped the
 * trial. The reward file counts only if Harbor gives no reason for a missing reward.
 */
export function judgeTrial(
  { trial, reward: stored }: HarborTrial,
  scorer: string | null,
): ParseResult<HarborVerdict> {
  const read = readReward(trial, scorer)
  if (!read.ok) return read
  const reward = read.value ?? (trial.exception_info ? null : stored)
  if (reward !== null && (reward < 0 || reward > 1))
    return refuseInput(
      `${trial.trial_name}: its reward ${reward} is not between 0 and 1, so the outcome is unknown`,
    )
  const stopped = trial.exception_info
  if (reward === 1 || (reward !== null && !stopped)) return { ok: true, value: judgeScore(reward) }
  return { ok: true, value: { ...judgeException(stopped, reward), score: reward } }
}

function judgeException(
  stopped: Trial['exception_info'],
  reward: number | null,
): Omit<HarborVerdict, 'score'> {
  const type = stopped?.exception_type
  const message = stopped?.exception_message?.split('\n')[0]
  const reason = stopped
    ? [type, message].filter(Boolean).join(': ').slice(0, 500) || 'It was stopped.'
    : 'It has neither a reward nor an exception.'
  const testSuccess = reward === null ? null : false
  if (type === 'AgentTimeoutError')
    return {
      outcome: { status: 'out-of-budget', budget: 'time', reason },
      failureCategory: 'timeout',
      testSuccess,
    }
  if (type === 'NonZeroAgentExitCodeError')
    return {
      outcome: { status: 'subject-crashed', exitCode: null, signal: null, reason },
      failureCategory: 'crash',
      testSuccess,
    }
  if (reward !== null)
    return { outcome: { status: 'unsolved', reason }, failureCategory: null, testSuccess }
  return {
    outcome: { status: 'void', fault: 'harness', reason },
    failureCategory: 'harness',
    testSuccess,
  }
}

/** The named reward, by default `reward`, or the only one. */
function readReward(
  { trial_name: trial, verifier_result: result }: Trial,
  scorer: string | null,
): ParseResult<number | null> {
  const rewards = result?.rewards ?? result?.reward ?? null
  if (rewards === null || typeof rewards === 'number') return { ok: true, value: rewards }
  const names = Object.keys(rewards)
  const name = [scorer, 'reward'].find((one) => one !== null && names.includes(one)) ?? names[0]
  if (names.length > 1 && (name === undefined || ![scorer, 'reward'].includes(name)))
    return refuseInput(
      `${trial}: its verifier gives several rewards (${names.slice(0, 5).join(', ')}) and none is called reward: say which one decides with scorer`,
    )
  return { ok: true, value: name === undefined ? null : (rewards[name] ?? null) }
}
