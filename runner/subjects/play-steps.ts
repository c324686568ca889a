import { digestJson } from '#lib/domain/digest/index.ts'
import type { SubjectContext, SubjectEnding } from './subject-driver.ts'

/**
 * Plays each step of a task, one after the other, until one does not end by itself. Returns one ending for all of them.
 * `isSpent` = a budget is reached, so that a further step could not begin.
 */
export async function playSteps(
  context: SubjectContext,
  play: (context: SubjectContext) => Promise<SubjectEnding>,
  isSpent: () => boolean = () => false,
): Promise<SubjectEnding> {
  let whole = await play(context)
  let last = whole
  while (context.nextStep !== undefined && hasEndedItself(last) && !isSpent()) {
    const next = await context.nextStep()
    if (next === null) break
    last = await play({ ...context, ...next })
    whole = { ...joinEndings(whole, last), limitMs: next.settings.timeoutMs }
  }
  return whole
}

function hasEndedItself({ cause, clean, signal, ...ending }: SubjectEnding): boolean {
  const isWhole = ending.setupFailed === undefined && !ending.isDiskFull
  return isWhole && clean && signal === null && (cause === 'exited' || cause === 'finished')
}

/** The last ending; an earlier step that exited with an error decides the exit code. */
function joinEndings(first: SubjectEnding, last: SubjectEnding): SubjectEnding {
  const hasFailed = first.exitCode !== 0 && last.signal === null
  const prompt = first.prompt && last.prompt
  return {
    ...last,
    exitCode: hasFailed ? first.exitCode : last.exitCode,
    leftBehind: first.leftBehind + last.leftBehind,
    ...(prompt && {
      prompt: { ...prompt, digest: digestJson([first.prompt?.digest, last.prompt?.digest]) },
    }),
  }
}
