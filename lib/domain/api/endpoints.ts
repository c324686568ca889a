import * as board from './endpoints/board.ts'
import * as suites from './endpoints/board.ts'
import * as feeds from './endpoints/feeds.ts'
import * as ledger from './endpoints/ledger.ts'
import * as methods from './endpoints/methods.ts'
import * as episodes from './endpoints/runs.ts'
import * as exports from './endpoints/runs.ts'
import * as runs from './endpoints/runs.ts'
import type { ReadEndpoint } from './read-endpoint.ts'

/** Every read of the API, part by part, in the order of the documentation. */
export const READ_ENDPOINTS: readonly ReadEndpoint[] = [
  board.leaderboardEndpoint,
  exports.boardExportEndpoint,
  board.chartEndpoint,
  board.rowEndpoint,
  exports.rowExportEndpoint,
  board.compareEndpoint,
  board.reportsEndpoint,
  board.reportEndpoint,
  board.subjectsEndpoint,
  board.subjectEndpoint,
  board.topUpEndpoint,
  board.badgeEndpoint,
  board.shieldsEndpoint,
  board.rowPreviewEndpoint,
  board.comparePreviewEndpoint,
  suites.suitesEndpoint,
  suites.suiteEndpoint,
  suites.tasksEndpoint,
  suites.taskEndpoint,
  runs.runsEndpoint,
  runs.runEndpoint,
  exports.runExportEndpoint,
  runs.runEventsEndpoint,
  runs.runLogEndpoint,
  episodes.episodesEndpoint,
  episodes.episodeEndpoint,
  episodes.logsEndpoint,
  episodes.logLinesEndpoint,
  episodes.logSearchEndpoint,
  episodes.rawLogEndpoint,
  episodes.transcriptEndpoint,
  episodes.atifEndpoint,
  episodes.screenshotEndpoint,
  ledger.ledgerEndpoint,
  ledger.ledgerFileEndpoint,
  ledger.ledgerHeadEndpoint,
  ledger.ledgerKeyEndpoint,
  ledger.planEndpoint,
  feeds.atomFeedEndpoint,
  feeds.jsonFeedEndpoint,
  methods.methodologyEndpoint,
  methods.schemasEndpoint,
  methods.schemaEndpoint,
  methods.openApiEndpoint,
  methods.llmsEndpoint,
  methods.healthEndpoint,
  methods.liveEndpoint,
  methods.readyEndpoint,
]
