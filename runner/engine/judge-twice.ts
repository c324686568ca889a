/**
 * Judges work that has been paid for: a failure of this machine gets a second chance before the attempt is lost.
 * Null = the run was stopped meanwhile. Throws what the second try threw.
 */
export async function judgeTwice<Evaluation>(
  judge: () => Promise<Evaluation>,
  signal: AbortSignal,
): Promise<Evaluation | null> {
  try {
    const evaluation = await judge().catch((error) => {
      if (signal.aborted) throw error
      return judge()
    })
    return signal.aborted ? null : evaluation
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
