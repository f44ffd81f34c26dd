/** The tables of this service, as rows. */
export type NoteRow = {
  account: string;
  id: string;
  title: string;
  text: string;
  colour: string;
  remind_at: number | null;
  created_at: number;
  updated_at: number;
};

export type Tables = { robotics_note: NoteRow };
export const tables: readonly (keyof Tables)[] = ["robotics_note"];
