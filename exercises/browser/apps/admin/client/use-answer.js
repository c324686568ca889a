import { useEffect, useState } from 'preact/hooks'
import { ask } from './api.js'

/**
 * What the server answers at an address: `data` (null until there is some; the old one stays while a new one is on its
 * way), `problem`, `isFresh`, and `load(path)` that asks again, there or elsewhere. Late answers to old questions are dropped.
 */
export function useAnswer(first) {
  const [wish, setWish] = useState({ path: first })
  const [answer, setAnswer] = useState({ data: null, problem: null, wish: null })
  useEffect(() => {
    let isWanted = true
    const settle = ({ ok, data, message }) => {
      if (!isWanted) return
      setAnswer((before) => ({ data: ok ? data : before.data, problem: ok ? null : message, wish }))
    }
    void ask('GET', wish.path).then(settle)
    return () => {
      isWanted = false
    }
  }, [wish])
  const load = (path) => setWish(({ path: last }) => ({ path: path ?? last }))
  return { data: answer.data, problem: answer.problem, isFresh: answer.wish === wish, load }
}
