/**
 * Judges paid work, and a second time after a failure of this machine, before the attempt is lost. Null = the run was
 * stopped meanwhile. Throws the error of the second try.
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
