import { expect, it } from 'vitest'
import { splitWords } from './split-words.ts'

it.each([
  ['', []],
  ['  npx   -y openchrome ', ['npx', '-y', 'openchrome']],
  [
    `"/home/a b/node" '/opt/o c/x.js' --name="a b"`,
    ['/home/a b/node', '/opt/o c/x.js', '--name=a b'],
  ],
  [`"it's" C:\\x`, ["it's", 'C:\\x']],
])('splits %j into words', (line, words) => {
  expect(splitWords(line)).toEqual(words)
})
