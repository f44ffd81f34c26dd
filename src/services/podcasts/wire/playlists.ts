/** Schemas of playlists in the public API. */
import { Type } from "@sinclair/typebox";
import { EpisodeSimple, numberedPage, PodcastSimple } from "./shapes.ts";

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

export const Visibility = Type.Union(
  [Type.Literal("public"), Type.Literal("unlisted"), Type.Literal("private")],
  {
    description: "Who may see its page: everybody, everybody with its address, or nobody.",
    examples: ["public"],
  },
);
const CustomAudio = Type.Object({
  title: Text,
  audio: Text,
  audio_length_sec: Count,
  image: Text,
  thumbnail: Text,
  pub_date_ms: Type.Integer(),
});
/** Stub of an entry that is no longer listed. */
const DeletedItem = Type.Object({ id: Text, title: Text, status: Text, error: Text });

export const ItemId = Type.Integer({ description: "The item's id.", examples: [1] });
const PlaylistItem = Type.Object({
  id: ItemId,
  type: Type.Union([Type.Literal("episode"), Type.Literal("podcast"), Type.Literal("custom_audio")]),
  notes: Text,
  added_at_ms: Type.Integer(),
  data: Type.Union([EpisodeSimple, PodcastSimple, CustomAudio, DeletedItem]),
});
const facts = {
  id: Text,
  name: Text,
  description: Text,
  image: Text,
  thumbnail: Text,
  vendor_url: Text,
  visibility: Visibility,
  last_timestamp_ms: Type.Integer(),
  total_audio_length_sec: Count,
};
export const Playlist = Type.Object({
  ...facts,
  type: Type.Union([Type.Literal("episode_list"), Type.Literal("podcast_list")]),
  total: Count,
  items: Type.Array(PlaylistItem),
});
export const Playlists = Type.Object({
  ...numberedPage,
  total: Count,
  playlists: Type.Array(Type.Object({ ...facts, episode_count: Count, podcast_count: Count })),
});

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "What the playlist is called.",
  examples: ["Sunday walks"],
});
const Description = Type.String({
  maxLength: 5_000,
  description: "What it is about.",
  examples: ["Long talks for long walks."],
});
const Image = Type.String({
  maxLength: 2_000,
  description: "Address of its picture.",
  examples: ["https://example.org/walks.jpg"],
});
export const NewPlaylist = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  image: Type.Optional(Image),
  visibility: Type.Optional(Visibility),
});
export const PlaylistChange = Type.Partial(
  Type.Object({ name: Name, description: Description, image: Image, visibility: Visibility }),
);
export const NewItem = Type.Object({
  type: Type.Union([Type.Literal("episode"), Type.Literal("podcast"), Type.Literal("custom_audio")], {
    description: "What is added.",
    examples: ["episode"],
  }),
  id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "The id of the episode or podcast.",
      examples: ["6b6d65930c5a4f71b254465871fed370"],
    }),
  ),
  title: Type.Optional(
    Type.String({ maxLength: 300, description: "What custom audio is called.", examples: ["A memo"] }),
  ),
  audio: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "Address of custom audio.",
      examples: ["https://example.org/memo.mp3"],
    }),
  ),
  audio_length_sec: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 864_000, description: "How long custom audio is.", examples: [90] }),
  ),
  notes: Type.Optional(
    Type.String({ maxLength: 5_000, description: "Notes on it.", examples: ["From minute 12 on."] }),
  ),
});
