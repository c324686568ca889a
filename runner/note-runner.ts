import type { Environment } from '#lib/domain/environment.ts'
import type { Clock } from './clock.ts'
import { identifyBoot, identifyProcess } from './process/identify-process.ts'
import type { Journal } from './store/journal.ts'

/** By this it is known afterwards why a runner that was killed is gone; call what it answers when the run has ended. */
export function noteRunner(
  journal: Journal,
  { isSupervised = false }: { isSupervised?: boolean },
  { clock, environment, signal }: { clock: Clock; environment: Environment; signal: AbortSignal },
): () => void {
  journal.append({
    at: clock.now(),
    event: 'runner-started',
    boot: identifyBoot(),
    supervisor: isSupervised ? identifyProcess(process.ppid) : null,
    subjectCanSignal: environment.subjectUser === 'runner',
  })
  const noteStop = () => {
    try {
      journal.append({ at: clock.now(), event: 'stop-asked', reason: String(signal.reason) })
    } catch {
      // a full disk must not keep the run from ending
    }
  }
  if (signal.aborted) noteStop()
  else signal.addEventListener('abort', noteStop, { once: true })
  return () => signal.removeEventListener('abort', noteStop)
}
