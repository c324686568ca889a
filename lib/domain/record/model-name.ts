/** A model's name without the additions of clouds, routers and deployments. */
export type ModelName = {
  /** Lower case, dashes between digits. */
  model: string
  /** The dated or numbered snapshot: `20250929`, `0613`, `001`; null = the name states none. */
  snapshot: string | null
}

const REGION = /^(?:us|us-gov|eu|apac|ap|jp|au|ca|sa|me|af|il|uk|global)\./
/** Bedrock's prefixes; other names have dots between digits only. */
const VENDOR =
  /^(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|stability|writer|xai|zai)\./
/** `-v1:0`, optionally with a context size: Bedrock's version of its own endpoint. */
const ENDPOINT_VERSION = /-v\d+:\d+(?::\w+)?$/
/** Bedrock's names may have either part alone; elsewhere `-v3` and `:8` are part of the name. */
const PART_OF_VERSION = /(?:-v\d+|:\d+(?::\w+)?)$/
/** Suffixes by which a router chooses its provider or extends the request; the model is the same. */
const ROUTE = /:(?:nitro|floor|free|exacto|extended|thinking|online|beta)$/
const MOVING = /[-@:](?:latest|default)$/

const YEAR = '20[12]\\d'
const MONTH = '(?:0[1-9]|1[0-2])'
const DAY = '(?:0[1-9]|[12]\\d|3[01])'
const SNAPSHOTS: readonly RegExp[] = [
  new RegExp(`[-@:](${YEAR}-?${MONTH}-?${DAY})$`),
  new RegExp(`[-@](${MONTH}-${YEAR})$`),
  new RegExp(`(?<=-preview)[-@](${MONTH}-${DAY})$`),
  new RegExp(`[-@]((?:${MONTH}${DAY}|2\\d${MONTH}))$`),
  /[-@](00\d)$/,
]

/** Parses a name as written by any provider; the text before the last slash names a reseller and is dropped. */
export function readModelName(name: string): ModelName {
  const own = name
    .trim()
    .toLowerCase()
    .slice(name.trim().lastIndexOf('/') + 1)
  const placed = own.replace(REGION, '')
  const bare = placed.replace(VENDOR, '')
  let model = bare
  for (let before = ''; before !== model; ) {
    before = model
    model = model.replace(ROUTE, '').replace(MOVING, '')
  }
  model = model.replace(ENDPOINT_VERSION, '')
  if (bare !== own) model = model.replace(PART_OF_VERSION, '')
  const dated = SNAPSHOTS.map((pattern) => pattern.exec(model)).find((found) => found !== null)
  const rest = dated ? model.slice(0, dated.index) : model
  return {
    model: rest.replace(/(?<=\d)\.(?=\d)/g, '-'),
    snapshot: dated?.[1]?.replaceAll('-', '') ?? null,
  }
}

/** Returns true if both names mean one model: a requested name without a snapshot means any snapshot. */
export function isModel(requested: string, answered: string): boolean {
  const [one, other] = [readModelName(requested), readModelName(answered)]
  return one.model === other.model && (one.snapshot === null || one.snapshot === other.snapshot)
}

/** The names of an entry's models in its plan. */
type NamedModels = {
  modelRequested: string | null
  aliases?: readonly string[] | undefined
  secondary?: readonly string[] | undefined
}

/** Returns the role of a model in the entry of a plan: the pinned one, a declared helper, or another. */
export function roleOfModel(
  { modelRequested, aliases = [], secondary = [] }: NamedModels,
  answered: string,
): 'pinned' | 'secondary' | 'other' {
  const own = modelRequested === null ? aliases : [modelRequested, ...aliases]
  if (own.some((name) => isModel(name, answered))) return 'pinned'
  return secondary.some((name) => isModel(name, answered)) ? 'secondary' : 'other'
}
