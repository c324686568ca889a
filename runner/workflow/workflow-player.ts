import type { BrowserRecord, Targeting } from '#lib/domain/browser/browser-record.ts'
import type { TracedAction } from '#lib/domain/browser/traced-action.ts'
import type { MeasuredMode } from '#lib/domain/episode.ts'
import type { Subject } from '#lib/domain/subject.ts'
import type { SubjectEnding, SubjectTurn } from '../controls/subject-driver.ts'
import type { HostReport } from '../libraries/host-protocol.ts'
import type { Reach } from '../libraries/play-library.ts'
import type { LoadedWorkflow } from '../suites/task-folder.ts'

/** What a subject is given for one browser episode: the app's address, a browser, places to write to. */
export type WorkflowTurn = Omit<SubjectTurn, 'task'> & {
  task: LoadedWorkflow
  origin: string
  /** The debugging port, behind the harness's proxy. */
  endpoint: string
  webdriverPort: number | null
  /** The only ways out of the library's sandbox; null = it has none and reaches what this machine reaches. */
  reach: Reach | null
  /** The task's files as the user has them at hand, by their relative path. */
  files: Readonly<Record<string, string>>
}

/** How a library's turn went. */
export type Played = {
  ending: SubjectEnding
  actions: readonly TracedAction[]
  /** Null when its host said nothing that could be read. */
  report: HostReport | null
}

/** Anything that can be measured on a browser workflow. */
export type WorkflowPlayer = {
  subject: Subject
  mode: MeasuredMode
  driven: BrowserRecord['driven']
  targeting: Targeting
  /** Whether a chromedriver has to stand beside the browser. */
  webdriver: boolean
  secrets: readonly string[]
  act: (turn: WorkflowTurn) => Promise<Played>
}

/** The error that the library's part ended with; one that was recovered from stands in the step trace alone. */
export function endingError(report: HostReport | null): HostReport['libraryError'] {
  return report === null || report.ending === 'finished' ? null : report.libraryError
}
