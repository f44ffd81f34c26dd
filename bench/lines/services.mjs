/** One line or a few per service, on the same product process. */
export async function serviceLines() {
  return [];
}
