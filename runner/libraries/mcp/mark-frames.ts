/** Yields the lines of an indented snapshot, and whether each is below a line that `isFrame` matches. */
export function markFrames(text: string, isFrame: RegExp): { line: string; inFrame: boolean }[] {
  let depth: number | null = null
  return text.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length
    if (depth !== null && indent <= depth) depth = null
    const inFrame = depth !== null
    if (depth === null && isFrame.test(line)) depth = indent
    return { line, inFrame }
  })
}
