/** True for what an agent's own program leaves in a workspace: files, or all below a folder whose name ends in a slash. */
export function isDropping(path: string, droppings: readonly string[]): boolean {
  return droppings.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name))
}
