/** Invented podcasts in other languages than English, for searching. */
import type { Podcast } from "./podcast-shape.ts";

export const OTHER_PODCASTS: readonly Podcast[] = [
  {
    title: "Nachrichten aus der Werkstatt",
    publisher: "Holz und Leim",
    language: "de",
    category: "Crafts",
    description: "Tischlern, leimen, hobeln: jede Woche ein Möbelstück und seine Geschichte.",
    episodes: [
      ["Der Stuhl", "Vier Beine und keines wackelt.", 33, 2],
      ["Häuser aus Holz", "Bauen ohne Beton, mit dem Architekten Jürgen Groß zu Gast.", 41, 9],
      ["Leim und Geduld", "Warum Schraubzwingen nie genug sind.", 30, 30],
    ],
  },
  {
    title: "Geschichten aus Wien",
    publisher: "Ringstraße Audio",
    language: "de-at",
    category: "Society & Culture",
    description: "Kaffeehäuser, Straßenbahnen und Menschen in Wien.",
    episodes: [
      ["Das Kaffeehaus", "Zeitungen, Melange und Stunden.", 37, 5],
      ["Die Straßenbahn", "Linie D bis zum Ende.", 35, 25],
      ["Nachts in Wien", "Wer wacht, wenn alle schlafen?", 39, 95],
    ],
  },
  {
    title: "L'heure du thé",
    publisher: "Radio Lavande",
    language: "fr",
    category: "Society & Culture",
    description: "Des conversations lentes autour d'une tasse de thé.",
    episodes: [
      ["Les énergies renouvelables", "Le vent, le soleil et la patience.", 43, 3],
      ["La forêt", "Entretien avec une garde forestière.", 41, 17],
      ["Le marché du dimanche", "Fromages, fleurs et bavardages.", 34, 70],
    ],
  },
  {
    title: "Cocina de la abuela",
    publisher: "Radio Naranja",
    language: "es",
    category: "Food",
    description: "Recetas tradicionales contadas por quienes las cocinan.",
    episodes: [
      ["La tortilla perfecta", "Con cebolla, y no se discute.", 29, 4],
      ["Gazpacho en agosto", "Tomates, pan y paciencia.", 27, 40],
      ["El arroz de los domingos", "Entrevista con Pilar Ortega.", 38, 110],
    ],
  },
  {
    title: "Café com Código",
    publisher: "Rádio Atlântica",
    language: "pt-br",
    category: "Technology",
    description: "Programação explicada entre dois cafés.",
    episodes: [
      ["Primeiros programas", "Do alô mundo ao primeiro erro.", 31, 6],
      ["Bancos de dados", "Tabelas, índices e paciência.", 36, 26],
    ],
  },
  {
    title: "Piccole storie d'Italia",
    publisher: "Voce Chiara",
    language: "it",
    category: "History",
    description: "Paesi, piazze e persone: la storia vista da vicino.",
    episodes: [
      ["La piazza", "Dove tutto comincia.", 30, 7],
      ["Il treno delle cinque", "Una ferrovia di montagna.", 33, 37],
    ],
  },
  {
    title: "Nyheter från skogen",
    publisher: "Granris Radio",
    language: "sv",
    category: "Nature",
    description: "Älgar, svampar och tystnad.",
    episodes: [
      ["Svampar i oktober", "Gula kantareller och deras grannar.", 28, 8],
      ["Älgen", "Skogens kung har dålig syn.", 26, 48],
    ],
  },
  {
    title: "Новости науки",
    publisher: "Радио Север",
    language: "ru",
    category: "Science",
    description: "Открытия недели простыми словами.",
    episodes: [
      ["Чёрные дыры", "Что мы о них знаем и чего не знаем.", 32, 5],
      ["Города будущего", "Как мы будем жить через сто лет.", 35, 22],
    ],
  },
  {
    title: "東京の朝",
    publisher: "朝ラジオ",
    language: "ja",
    category: "News",
    description: "東京の朝のニュースと天気を十分でお届けします。",
    episodes: [
      ["桜の季節", "上野公園の桜と花見の話。", 12, 2],
      ["東京タワーの夜", "赤い塔から見た街。", 14, 12],
      ["京都の静かな庭", "苔と石と時間。", 13, 32],
    ],
  },
  {
    title: "北京故事",
    publisher: "胡同电台",
    language: "zh",
    category: "Society & Culture",
    description: "胡同里的人和他们的故事。",
    episodes: [
      ["老茶馆", "一杯茶，一个下午。", 22, 3],
      ["长城上的风", "走在城墙上的一天。", 25, 43],
    ],
  },
  {
    title: "서울의 밤",
    publisher: "한강 라디오",
    language: "ko",
    category: "Music",
    description: "서울의 밤과 음악 이야기.",
    episodes: [
      ["한강의 노래", "강가에서 듣는 음악.", 24, 4],
      ["시장 이야기", "새벽 시장의 사람들.", 23, 34],
    ],
  },
];
