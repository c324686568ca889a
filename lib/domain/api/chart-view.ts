import { AXIS_SLUGS } from '../reports/index.ts'

/** The charts of a leaderboard. */
export const BOARD_CHARTS = [
  'success',
  'cost',
  'time',
  'time-distribution',
  'token-distribution',
  'tasks',
  'reliability',
  'failures',
  'recovery',
] as const
export type BoardChart = (typeof BOARD_CHARTS)[number]

/** The board's charts, the history of an agent or model, and the chart of each report. */
export const CHART_NAMES = [...BOARD_CHARTS, 'history', ...AXIS_SLUGS] as const

/** Scale of the cost, time and token axes. */
export const CHART_SCALES = ['log', 'linear'] as const
export type ChartScale = (typeof CHART_SCALES)[number]

/** `svg` holds the same image as `png`. */
export const CHART_FORMATS = ['png', 'svg', 'csv', 'json'] as const
