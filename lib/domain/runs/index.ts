/** Public API of this module; other modules import only this file. */

export * from './agent-definition.ts'
export * from './check-launch.ts'
export * from './choose-prunable.ts'
export * from './command-line.ts'
export * from './forecast-wait.ts'
export {
  HERE,
  isSameLaunch,
  LAUNCH_FIELDS,
  type LaunchField,
  type LaunchFields,
  type LaunchProblem,
  type LaunchRequest,
  launchAgain,
  launchFieldsSchema,
  parseLaunch,
  readLaunchFields,
  writeLaunchQuery,
} from './launch-fields.ts'
export * from './model-names.ts'
export * from './queue.ts'
export * from './reproduce-lines.ts'
export * from './runner-answer.ts'
export * from './subject-list.ts'
