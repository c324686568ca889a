import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryError, isRunnerError } from '../runner-error.ts'
import {
  askGithub,
  findComment,
  type GithubAccess,
  type IssueComment,
  NotPermitted,
} from './github-api.ts'

type OnWait = (why: string) => void

/** `denied` = the token has no write permission there. */
export type Posted = 'created' | 'updated' | 'unchanged' | 'denied'

/** `marker` = the line of the body that identifies it. */
type Comment = { pull: number; marker: string; body: string; author: string }

/** A comment that may have been written is searched before it is written again. */
const MAX_TRIES = 3
const PAUSE_MS = 1000

/**
 * Writes the one comment with this marker: edits the existing one, found by its hidden marker and its author, because
 * anyone can write a comment with our marker. `author` = the account of the token.
 */
export async function postComment(
  access: GithubAccess,
  comment: Comment,
  onWait: OnWait,
): Promise<Posted> {
  for (let made = 1; ; made++) {
    try {
      return await writeComment(access, comment, onWait)
    } catch (error) {
      if (error instanceof NotPermitted) return 'denied'
      if (made >= MAX_TRIES || !isRunnerError(error, 'delivery')) throw error
      onWait(`${error.message}: looking whether it was written`)
      await sleep(PAUSE_MS)
    }
  }
}

async function writeComment(
  access: GithubAccess,
  { pull, marker, body, author }: Comment,
  onWait: OnWait,
): Promise<Posted> {
  const isOurs = (comment: IssueComment) =>
    comment.user?.login === author && (comment.body ?? '').startsWith(marker)
  const known = await findComment(access, pull, isOurs, onWait)
  if (known?.body === body) return 'unchanged'
  if (known && (await updateComment(access, known.id, body, onWait))) return 'updated'
  const path = `/repos/${access.repository}/issues/${pull}/comments`
  const request = { method: 'POST', path, body: { body }, isOnce: true } as const
  const { status } = await askGithub(access, request, onWait)
  if (status !== 201) throw deliveryError(`the comment was not taken (answer ${status})`)
  return 'created'
}

/** False = it was deleted meanwhile. */
async function updateComment(
  access: GithubAccess,
  id: number,
  body: string,
  onWait: OnWait,
): Promise<boolean> {
  const path = `/repos/${access.repository}/issues/comments/${id}`
  const { status } = await askGithub(access, { method: 'PATCH', path, body: { body } }, onWait)
  if (status === 404) return false
  if (status !== 200) throw deliveryError(`the comment was not changed (answer ${status})`)
  return true
}

export type Check = {
  commit: string
  name: string
  conclusion: 'success' | 'failure' | 'neutral'
  title: string
  summary: string
}

/** Creates a finished check on a commit; false = the token may not write checks. */
export async function postCheck(
  access: GithubAccess,
  { commit, name, conclusion, title, summary }: Check,
  onWait: OnWait,
): Promise<boolean> {
  const body = {
    name,
    head_sha: commit,
    status: 'completed',
    conclusion,
    output: { title, summary },
  }
  try {
    const path = `/repos/${access.repository}/check-runs`
    const { status } = await askGithub(access, { method: 'POST', path, body }, onWait)
    if (status !== 201) throw deliveryError(`the check was not taken (answer ${status})`)
    return true
  } catch (error) {
    if (error instanceof NotPermitted) return false
    throw error
  }
}
