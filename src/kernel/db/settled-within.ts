/** Waits until the promise has settled, or for the timeout. */
export async function settledWithin(waitedFor: Promise<unknown>, msMax: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, msMax);
  });
  await Promise.race([waitedFor.catch(() => {}), late]).finally(() => clearTimeout(timer));
}
