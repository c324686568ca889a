import { countEach } from '../../record/index.ts'
import type { TranscriptStep } from '../transcript.ts'
import type { Scanner } from './scan-knowledge.ts'

const NOT_ABLE =
  "(?:can(?:not|['’]t)|could(?: not|n['’]t)|(?:was|were)(?: not|n['’]t) able to|(?:am|was|were|been|['’]m) unable to|(?:have |['’]ve )?failed to)"
const THE_TASK =
  '(?:(?:solve|complete|finish|implement)\\b|(?:find|produce) a (?:working )?solution|get (?:it|this|(?:all )?(?:of )?(?:the|these) (?:tests?|solution|code|implementation)) (?:to )?(?:pass|work|compile))'
const GIVES_UP = new RegExp(
  `\\b(?:I|we)\\b[^.!?\\n]{0,40}?(?:\\b|(?=['’]))${NOT_ABLE}\\s+${THE_TASK}` +
    "|\\b(?:I|we)(?: am|['’]m| are|['’]re| have|['’]ve)? (?:giv(?:e|ing)|gave) up(?: on (?:this|the) (?:task|exercise|problem))?(?=\\s*(?:[.!?,;:\\n]|$))" +
    '|(?:^|[.!?\\n]\\s*)(?:(?:sorry|unfortunately),? )?(?:unable|failed) to complete (?:this|the) (?:task|exercise)\\b' +
    "|\\b(?:this|the) (?:task|exercise) (?:can(?:not|['’]t)|could(?: not|n['’]t)) be (?:completed|solved|finished)\\b",
  'gi',
)
/** Marks statements about problems that were overcome. */
const EARLIER = /\b(?:at first|initially|earlier|previously|until)\b/i

/** Finds a model that gives up in the last message of its longest conversation. */
export const findGivenUp: Scanner = ({ steps }) => {
  const thread = longestThread(steps)
  const last = steps.findLast(
    (step) => step.thread === thread && step.role === 'assistant' && step.text !== null,
  )
  const text = last?.text ?? ''
  const found = [...text.matchAll(GIVES_UP)].find(
    ({ index, 0: words }) => !EARLIER.test(sentenceAt(text, index, words.length)),
  )
  if (!last || !found) return null
  const words = found[0].replace(/^[.!?\s]+/, '')
  return { scanner: 'gave-up', sentence: `The last answer says “${words}”.`, steps: [last.index] }
}

/** Shorter conversations are sub-agents, or side questions such as for a title. */
function longestThread(steps: readonly TranscriptStep[]): number {
  const lengths = countEach(steps.map(({ thread }) => thread))
  return [...lengths].reduce((most, one) => (one[1] > most[1] ? one : most), [1, 0])[0]
}

const MAX_SENTENCE_CHARS = 300

function sentenceAt(text: string, start: number, length: number): string {
  const before = text.slice(Math.max(0, start - MAX_SENTENCE_CHARS), start)
  const after = text.slice(start + length, start + length + MAX_SENTENCE_CHARS)
  const [rest = ''] = after.split(/[.!?\n]/)
  return (before.split(/[.!?\n]/).at(-1) ?? '') + text.slice(start, start + length) + rest
}
