import { expect, it } from 'vitest'
import type { Db } from '../db/database.ts'
import { BoardRefresher } from './worker-context.ts'

/** Used by `requestAll` only. */
const NO_DB = {} as Db

it('a worker that stops finishes the boards that are soon done', async () => {
  const built: string[] = []
  const boards = new BoardRefresher(NO_DB, async (suiteId) => void built.push(suiteId))
  boards.request('a')
  boards.request('b')
  await boards.close(10_000)
  expect(built).toEqual(['a', 'b'])
})

it('it does not wait for one that takes too long, and starts no other', async () => {
  const args: string[] = []
  let end = () => {}
  const boards = new BoardRefresher(NO_DB, (suiteId) => {
    args.push(suiteId)
    return new Promise((_, reject) => {
      end = () => reject(new Error('the thread that computes boards ended'))
    })
  })
  boards.request('a')
  boards.request('b')
  await boards.close(50)
  end()
  await boards.settle()
  expect(args).toEqual(['a'])
})
