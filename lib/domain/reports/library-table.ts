import type { Board } from '../board/index.ts'
import { sampleQuantile } from '../statistics/index.ts'
import { unknownValue } from './axis-measure.ts'
import type {
  AxisColumn,
  AxisSlug,
  AxisValue,
  LibraryRow,
  LibraryTableReport,
} from './axis-report.ts'
import type { LibraryFact, LibraryFacts } from './library-facts.ts'

type Column = AxisColumn & { read: (fact: LibraryFact) => AxisValue }

export const NOT_MEASURED = 'Not measured yet.'
const ONCE = 'measured once on one machine; no interval'

const COLUMNS: Partial<Record<AxisSlug, readonly Column[]>> = {
  'token-efficiency': [
    column('page-tokens', 'Tokens per page', 'tokens', {
      meaning:
        'Output for opening and reading a page once, mean over several pages; o200k encoding.',
      read: ({ pagesShown }) =>
        figure(pagesShown?.tokens == null ? null : pagesShown.tokens / pagesShown.pages),
    }),
    column('schema-tokens', 'Tokens of all tool schemas', 'tokens', {
      meaning: 'Size of all tool descriptions and schemas that the model reads; o200k encoding.',
      read: ({ tools }) => figure(tools?.schemaTokens ?? null, tools ? ONCE : NO_TOOLS),
    }),
  ],
  'logged-in': [
    column('auth-ms', 'Time to sign in', 'ms', {
      meaning: 'Time from the start page until the page shows the signed-in user.',
      read: ({ authSetup }) => figure(authSetup?.ms ?? null),
    }),
    column('auth-lines', 'Code to sign in', 'lines', {
      meaning: 'Lines of driver code for signing in.',
      read: ({ authSetup }) => figure(authSetup?.lines ?? null, 'counted'),
    }),
  ],
  'developer-experience': [
    column('adapter-lines', 'Adapter', 'lines', {
      meaning: 'Lines of code of the adapter to the common action interface.',
      read: ({ adapterLines }) => figure(adapterLines, 'counted'),
    }),
    column('driver-lines', 'Driver per task', 'lines', {
      meaning: 'Lines of driver code per task, median over tasks.',
      read: driverLines,
    }),
    column('tools', 'Tools', 'count', {
      meaning: 'Number of tools offered to a model.',
      read: ({ tools }) => figure(tools?.count ?? null, tools ? 'counted' : NO_TOOLS),
    }),
    column('tools-described', 'Tools described', 'share', {
      meaning: 'Share of the tools with a description.',
      read: ({ tools }) => share(tools?.described ?? null, tools?.count ?? null, 'tools'),
    }),
    column('tools-typed', 'Tools typed', 'share', {
      meaning: 'Share of the tools with types for all parameters.',
      read: ({ tools }) => share(tools?.typed ?? null, tools?.count ?? null, 'tools'),
    }),
    column('errors-actionable', 'Actionable errors', 'share', {
      meaning:
        'Share of induced errors whose message names the target and a cause. For the raw protocol the messages come from its adapter.',
      read: ({ errors }) =>
        share(
          errors?.filter(({ actionable }) => actionable).length ?? null,
          errors?.length ?? null,
          'induced errors',
        ),
    }),
  ],
}

const NO_TOOLS = 'No tools for a model, or not measured yet.'

/** Library measurements of an axis; undefined if there are none. */
export function buildLibraryTable(
  slug: AxisSlug,
  { rows }: Pick<Board, 'rows'>,
  facts: LibraryFacts | null,
): LibraryTableReport | undefined {
  const columns = COLUMNS[slug]
  const measured = facts?.libraries ?? []
  const onBoard = rows.flatMap(({ subject: { targeting, name, version } }) =>
    targeting === undefined || version === null ? [] : [{ name, version }],
  )
  const versions = new Map(
    [...measured, ...onBoard].map(({ name, version }) => [`${name} ${version}`, { name, version }]),
  )
  if (!columns || versions.size === 0) return undefined
  const factOf = new Map(measured.map((fact) => [`${fact.name} ${fact.version}`, fact]))
  return {
    columns: columns.map(({ read: _, ...shown }) => shown),
    rows: [...versions].map(([key, library]) => toRow(library, factOf.get(key), columns)),
  }
}

/** Counts the libraries with a figure. */
export function countMeasured({ rows }: LibraryTableReport): number {
  return rows.filter(({ values }) => Object.values(values).some(({ value }) => value !== null))
    .length
}

function toRow(
  { name, version }: Pick<LibraryFact, 'name' | 'version'>,
  fact: LibraryFact | undefined,
  columns: readonly Column[],
): LibraryRow {
  const read = (one: Column) => (fact ? one.read(fact) : unknownValue(NOT_MEASURED))
  const values = Object.fromEntries(columns.map((one) => [one.id, read(one)]))
  return {
    name,
    version,
    measuredAt: fact?.measuredAt ?? null,
    values,
    errors: fact?.errors ?? null,
  }
}

function column(
  id: string,
  title: string,
  unit: AxisColumn['unit'],
  rest: Pick<Column, 'meaning' | 'read'>,
): Column {
  return { id, title, unit, role: 'diagnostic', ...rest }
}

function figure(value: number | null, method = ONCE): AxisValue {
  if (value === null) return unknownValue(method === NO_TOOLS ? NO_TOOLS : NOT_MEASURED)
  return { ...unknownValue(method), value }
}

function share(part: number | null, whole: number | null, of: string): AxisValue {
  if (part === null || whole === null || whole === 0) {
    return unknownValue(of === 'tools' ? NO_TOOLS : NOT_MEASURED)
  }
  return { ...unknownValue(`${part} of ${whole} ${of}; count, no interval`), value: part / whole }
}

function driverLines({ driverLinesPerTask }: LibraryFact): AxisValue {
  const lines = Object.values(driverLinesPerTask ?? {})
  const value = sampleQuantile(lines, 0.5)
  if (value === null) return unknownValue(NOT_MEASURED)
  return { ...unknownValue('median over tasks, counted'), value, tasks: lines.length }
}
