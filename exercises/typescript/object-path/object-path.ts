/** Too loose: Path if it leads somewhere in Root, otherwise never. */
export type ValidPath<Root, Path extends string> = Path

/** Too loose: what can be found at the end of a path; never if the path is not valid. */
export type PathValue<Root, Path extends string> = unknown

/** Too loose: what may be put at the end of a path; never if the path is not valid. */
export type PathInput<Root, Path extends string> = unknown

export function getPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
): PathValue<Root, Path> {
  throw new Error('Remove this line and implement the function')
}

export function setPath<Root, Path extends string>(
  root: Root,
  path: Path & ValidPath<Root, Path>,
  value: PathInput<Root, Path>,
): Root {
  throw new Error('Remove this line and implement the function')
}
