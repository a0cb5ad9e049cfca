//! Indonesian, Malay, Vietnamese, Arabic, Hebrew, Persian, Hindi, Bengali, Thai, Chinese, Japanese, Korean.

use super::{Language, NONE};

pub(super) const INDONESIAN: Language = Language {
    code: "id",
    months: [
        "januari jan",
        "februari pebruari feb peb",
        "maret mar",
        "april apr",
        "mei",
        "juni jun",
        "juli jul",
        "agustus agu agt ags",
        "september sep sept",
        "oktober okt",
        "november nopember nov nop",
        "desember des",
    ],
    weekdays: "senin selasa rabu kamis jumat sabtu minggu ahad sen sel rab kam jum sab min",
    today: "hari_ini",
    yesterday: "kemarin",
    tomorrow: "besok",
    units: ["detik", "menit", "jam", "hari", "minggu", "bulan", "tahun"],
    ago_after: "lalu yang_lalu",
    one: "se",
    at: "pukul jam pkl",
    ..NONE
};

pub(super) const MALAY: Language = Language {
    code: "ms",
    months: [
        "januari jan",
        "februari feb",
        "mac",
        "april apr",
        "mei",
        "jun",
        "julai jul",
        "ogos ogo",
        "september sep sept",
        "oktober okt",
        "november nov",
        "disember dis",
    ],
    weekdays: "isnin selasa rabu khamis jumaat sabtu ahad",
    today: "hari_ini",
    yesterday: "semalam",
    tomorrow: "esok",
    units: ["saat", "minit", "jam", "hari", "minggu", "bulan", "tahun"],
    ago_after: "lalu yang_lalu lepas yang_lepas",
    at: "pukul jam",
    am: "pg pagi",
    pm: "ptg petang",
    ..NONE
};

pub(super) const VIETNAMESE: Language = Language {
    code: "vi",
    weekdays: "thứ_hai thứ_ba thứ_tư thứ_năm thứ_sáu thứ_bảy chủ_nhật cn",
    today: "hôm_nay",
    yesterday: "hôm_qua",
    before_yesterday: "hôm_kia",
    tomorrow: "ngày_mai",
    units: ["giây", "phút", "giờ tiếng", "ngày", "tuần", "tháng", "năm"],
    ago_before: "cách_đây",
    ago_after: "trước",
    one: "một",
    glue: "ngày năm thứ",
    at: "lúc hồi vào",
    am: "sáng sa",
    pm: "chiều tối ch",
    hour_mark: "giờ",
    minute_mark: "phút",
    second_mark: "giây",
    ..NONE
};

pub(super) const ARABIC: Language = Language {
    code: "ar",
    months: [
        "يناير كانون_الثاني جانفي",
        "فبراير شباط فيفري",
        "مارس آذار",
        "أبريل نيسان أفريل إبريل",
        "مايو أيار ماي",
        "يونيو يونيه حزيران جوان",
        "يوليو يوليه تموز جويلية",
        "أغسطس آب أوت غشت",
        "سبتمبر أيلول شتنبر",
        "أكتوبر تشرين_الأول",
        "نوفمبر تشرين_الثاني نونبر",
        "ديسمبر كانون_الأول دجنبر",
    ],
    weekdays: "الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد اثنين ثلاثاء أربعاء خميس جمعة سبت أحد",
    today: "اليوم",
    yesterday: "أمس",
    tomorrow: "غدا",
    units: [
        "ثانية ثواني ثوان",
        "دقيقة دقائق",
        "ساعة ساعات",
        "يوم أيام يوما",
        "أسبوع أسابيع",
        "شهر أشهر شهور شهرا",
        "سنة سنوات عام أعوام",
    ],
    ago_before: "منذ قبل",
    glue: "من في",
    at: "الساعة",
    am: "ص صباحا",
    pm: "م مساء مساءا",
    ..NONE
};

pub(super) const HEBREW: Language = Language {
    code: "he",
    months: [
        "ינואר בינואר ינו בינו",
        "פברואר בפברואר פבר בפבר",
        "מרץ במרץ מרס במרס",
        "אפריל באפריל אפר באפר",
        "מאי במאי",
        "יוני ביוני יונ ביונ",
        "יולי ביולי יול ביול",
        "אוגוסט באוגוסט אוג באוג",
        "ספטמבר בספטמבר ספט בספט",
        "אוקטובר באוקטובר אוק באוק",
        "נובמבר בנובמבר נוב בנוב",
        "דצמבר בדצמבר דצמ בדצמ",
    ],
    weekdays: "שני שלישי רביעי חמישי שישי שבת ראשון",
    today: "היום",
    yesterday: "אתמול",
    before_yesterday: "שלשום",
    tomorrow: "מחר",
    units: ["שנייה שניות", "דקה דקות", "שעה שעות", "יום ימים", "שבוע שבועות", "חודש חודשים", "שנה שנים"],
    ago_before: "לפני",
    glue: "ב יום",
    at: "בשעה",
    ..NONE
};

pub(super) const PERSIAN: Language = Language {
    code: "fa",
    months: [
        "ژانویه ژانویهٔ",
        "فوریه فوریهٔ",
        "مارس",
        "آوریل آپریل",
        "مه می",
        "ژوئن",
        "ژوئیه جولای",
        "اوت آگوست",
        "سپتامبر",
        "اکتبر",
        "نوامبر",
        "دسامبر",
    ],
    weekdays: "شنبه یکشنبه دوشنبه سه‌شنبه چهارشنبه پنجشنبه پنج‌شنبه جمعه یک‌شنبه آدینه",
    today: "امروز",
    yesterday: "دیروز",
    before_yesterday: "پریروز",
    tomorrow: "فردا",
    units: ["ثانیه", "دقیقه", "ساعت", "روز", "هفته", "ماه", "سال"],
    ago_after: "پیش قبل",
    one: "یک",
    at: "ساعت",
    ..NONE
};

/// The months of the Persian solar calendar.
pub(super) const PERSIAN_MONTHS: [&str; 12] =
    ["فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد امرداد", "شهریور", "مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"];

pub(super) const HINDI: Language = Language {
    code: "hi",
    months: [
        "जनवरी जन",
        "फरवरी फर",
        "मार्च",
        "अप्रैल",
        "मई",
        "जून",
        "जुलाई जुल",
        "अगस्त अग",
        "सितंबर सितम्बर सित",
        "अक्टूबर अक्तूबर अक्टू अक्तू",
        "नवंबर नवम्बर नव",
        "दिसंबर दिसम्बर दिस",
    ],
    weekdays: "सोमवार मंगलवार बुधवार गुरुवार बृहस्पतिवार शुक्रवार शनिवार रविवार सोम मंगल बुध गुरु शुक्र शनि रवि",
    today: "आज",
    units: ["सेकंड सेकेंड", "मिनट", "घंटे घंटा घण्टे", "दिन", "सप्ताह हफ्ते", "महीने महीना माह", "साल वर्ष"],
    ago_after: "पहले पूर्व",
    one: "एक",
    at: "को बजे",
    ..NONE
};

pub(super) const BENGALI: Language = Language {
    code: "bn",
    months: [
        "জানুয়ারি জানুয়ারী জানু",
        "ফেব্রুয়ারি ফেব্রুয়ারী ফেব্রু ফেব",
        "মার্চ",
        "এপ্রিল এপ্রি",
        "মে",
        "জুন",
        "জুলাই জুল",
        "আগস্ট অগাস্ট আগ",
        "সেপ্টেম্বর সেপ সেপ্টে",
        "অক্টোবর অক্টো",
        "নভেম্বর নভে",
        "ডিসেম্বর ডিসে",
    ],
    weekdays: "সোমবার মঙ্গলবার বুধবার বৃহস্পতিবার শুক্রবার শনিবার রবিবার",
    today: "আজ",
    yesterday: "গতকাল",
    units: ["সেকেন্ড", "মিনিট", "ঘণ্টা ঘন্টা", "দিন", "সপ্তাহ", "মাস", "বছর"],
    ago_after: "আগে",
    ordinal: "লা রা ঠা ই শে",
    ..NONE
};

pub(super) const THAI: Language = Language {
    code: "th",
    months: [
        "มกราคม มค",
        "กุมภาพันธ์ กพ",
        "มีนาคม มีค",
        "เมษายน เมย",
        "พฤษภาคม พค",
        "มิถุนายน มิย",
        "กรกฎาคม กค",
        "สิงหาคม สค",
        "กันยายน กย",
        "ตุลาคม ตค",
        "พฤศจิกายน พย",
        "ธันวาคม ธค",
    ],
    weekdays: "จันทร์ อังคาร พุธ พฤหัสบดี พฤหัส ศุกร์ เสาร์ อาทิตย์ วันจันทร์ วันอังคาร วันพุธ วันพฤหัสบดี วันศุกร์ วันเสาร์ วันอาทิตย์",
    today: "วันนี้",
    yesterday: "เมื่อวาน เมื่อวานนี้",
    tomorrow: "พรุ่งนี้",
    units: ["วินาที", "นาที", "ชั่วโมง ชม", "วัน", "สัปดาห์", "เดือน", "ปี"],
    ago_after: "ที่แล้ว ที่ผ่านมา ก่อน",
    glue: "ที่ วันที่",
    at: "เวลา",
    hour_mark: "น นาฬิกา",
    ..NONE
};

pub(super) const CHINESE: Language = Language {
    code: "zh",
    weekdays: "星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 \
        週一 週二 週三 週四 週五 週六 週日 礼拜一 礼拜二 礼拜三 礼拜四 礼拜五 礼拜六 礼拜日 禮拜一 禮拜二 禮拜三 禮拜四 禮拜五 禮拜六 禮拜日",
    today: "今天 今日",
    yesterday: "昨天 昨日",
    before_yesterday: "前天",
    tomorrow: "明天",
    units: [
        "秒 秒钟 秒鐘",
        "分钟 分鐘 分",
        "小时 小時 个小时 個小時 钟头",
        "天 日",
        "周 週 星期 个星期 個星期 礼拜",
        "个月 個月",
        "年",
    ],
    ago_after: "前 之前 以前",
    one: "一",
    at: "于 於",
    am: "上午 早上 凌晨 清晨 早晨",
    pm: "下午 晚上 傍晚",
    year_mark: "年",
    day_mark: "日 号 號",
    hour_mark: "时 時 点 點",
    minute_mark: "分",
    second_mark: "秒",
    ..NONE
};

pub(super) const JAPANESE: Language = Language {
    code: "ja",
    weekdays: "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月曜 火曜 水曜 木曜 金曜 土曜 日曜 火 水 木 金 土",
    today: "今日 本日",
    yesterday: "昨日",
    before_yesterday: "一昨日 おととい",
    tomorrow: "明日",
    units: ["秒", "分 分間", "時間", "日 日間", "週間", "か月 ヶ月 カ月 ヵ月 ケ月 箇月", "年 年間"],
    ago_after: "前",
    am: "午前",
    pm: "午後",
    year_mark: "年",
    day_mark: "日",
    hour_mark: "時",
    minute_mark: "分",
    second_mark: "秒",
    ..NONE
};

pub(super) const KOREAN: Language = Language {
    code: "ko",
    weekdays: "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
    today: "오늘",
    yesterday: "어제",
    before_yesterday: "그저께 그제",
    tomorrow: "내일",
    units: ["초", "분", "시간", "일", "주 주일", "개월 달", "년"],
    ago_after: "전",
    am: "오전",
    pm: "오후",
    year_mark: "년",
    day_mark: "일",
    hour_mark: "시",
    minute_mark: "분",
    second_mark: "초",
    ..NONE
};
