import { useState } from 'react'

/** Returns the list of the last render while it has the same members, so that what is made of it is not made again. */
export function useSameList<T>(list: readonly T[]): readonly T[] {
  const [kept, setKept] = useState(list)
  const isSame = kept.length === list.length && kept.every((one, index) => one === list[index])
  if (isSame) return kept
  setKept(list)
  return list
}
