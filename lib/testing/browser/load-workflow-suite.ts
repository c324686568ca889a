import { findSuitePlace } from '#runner/suites/find-suite.ts'
import { type BrowserSuite, loadSuite, selectTasks } from '#runner/suites/load-suite.ts'

/** A browser suite with the tasks that were named, or all of them. */
export async function loadWorkflowSuite(
  name: string,
  tasks: readonly string[] | null,
): Promise<BrowserSuite> {
  const suite = await loadSuite(findSuitePlace(name, '/nowhere'), () => {
    throw new Error(`${name} is no browser suite`)
  })
  if (suite.kind !== 'browser') throw new Error(`${name} is no browser suite`)
  return { ...suite, tasks: selectTasks(suite.tasks, tasks) }
}
