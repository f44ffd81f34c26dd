/** What to do first where there is nothing yet: load the demo data. Doing it again changes nothing. */
import type { JSX } from "preact";
import { call, session, whoIn } from "../api.ts";
import { useWork } from "../loading.ts";
import { useStore } from "../store.ts";
import { Button, WorkNote } from "./basics.tsx";

type SeedingProps = {
  /** All of them unless some are named. */
  readonly services?: readonly string[];
  readonly onSeeded?: () => void;
};
/** For admin accounts alone, which may. */
export function Seeding({ services, onSeeded }: SeedingProps): JSX.Element | null {
  const who = whoIn(useStore(session));
  const seed = useWork(async () => {
    await call("medley.seed", { body: services ? { services: [...services] } : {} });
    onSeeded?.();
  });
  if (!who?.admin) return null;
  return (
    <>
      <WorkNote work={seed} />
      <Button kind="main" icon="seed" isBusy={seed.isBusy} onClick={() => void seed.run()}>
        Load the demo data
      </Button>
    </>
  );
}
