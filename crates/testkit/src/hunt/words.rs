//! Vocabulary of pharmacies in three languages: labels used by shops, and texts for their values.
//!
//! Labels are those that shops and leaflets use, several for each field, whether or not any domain knows them. Names of
//! drugs and manufacturers are invented.

use crate::generate::Rng;

/// The language of a shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese, in simplified letters.
    Chinese,
    /// German.
    German,
}

/// Topic of a fact about a drug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Generic name.
    Generic,
    /// The number of its approval.
    Code,
    /// Manufacturer.
    Maker,
    /// Country of origin.
    Country,
    /// List price.
    ListPrice,
    /// Price in this shop.
    Price,
    /// Availability.
    Availability,
    /// Package size.
    Package,
    /// Ingredients.
    Ingredients,
    /// Indications.
    Indications,
    /// Contraindications.
    Contraindications,
    /// Warnings.
    Warnings,
    /// Dosage.
    Dosage,
    /// Description.
    Description,
}

impl Topic {
    /// All of them, in the order in which shops tell them.
    pub const ALL: [Topic; 14] = [
        Topic::Generic,
        Topic::Code,
        Topic::Maker,
        Topic::Country,
        Topic::ListPrice,
        Topic::Price,
        Topic::Availability,
        Topic::Package,
        Topic::Ingredients,
        Topic::Indications,
        Topic::Contraindications,
        Topic::Warnings,
        Topic::Dosage,
        Topic::Description,
    ];

    /// Reports whether its text is long enough for a separate heading.
    pub fn is_long(self) -> bool {
        matches!(
            self,
            Topic::Ingredients
                | Topic::Indications
                | Topic::Contraindications
                | Topic::Warnings
                | Topic::Dosage
                | Topic::Description
        )
    }

    /// Returns the labels that shops of a language use.
    pub fn labels(self, language: Language) -> &'static [&'static str] {
        let [english, chinese, german]: [&[&str]; 3] = match self {
            Topic::Generic => [
                &["Generic name", "Generic Name", "INN", "Common name", "Active substance"],
                &["通用名称", "通用名", "药品通用名"],
                &["Wirkstoff", "Freiname", "INN"],
            ],
            Topic::Code => [
                &[
                    "Approval number",
                    "Licence number",
                    "Registration No.",
                    "Marketing authorisation number",
                    "Reg. no.",
                ],
                &["批准文号", "药品批准文号", "批准文號"],
                &["Zulassungsnummer", "Zul.-Nr.", "Zulassungs-Nr."],
            ],
            Topic::Maker => [
                &["Manufacturer", "Manufactured by", "Made by", "Maker", "Company"],
                &["生产企业", "生产厂家", "厂家"],
                &["Hersteller", "Anbieter", "Pharmazeutischer Unternehmer"],
            ],
            Topic::Country => [
                &["Country of origin", "Country", "Made in", "Origin"],
                &["产地", "原产国", "国家/地区"],
                &["Herkunftsland", "Ursprungsland", "Herstellungsland"],
            ],
            Topic::ListPrice => [
                &["RRP", "List price", "Regular price", "Was"],
                &["市场价", "原价", "参考价"],
                &["UVP", "AVP", "Statt"],
            ],
            Topic::Price => [
                &["Our price", "Price", "Online price", "Now only"],
                &["价格", "会员价", "本店价"],
                &["Preis", "Unser Preis", "Ihr Preis"],
            ],
            Topic::Availability => [
                &["Availability", "Stock", "Stock status", "Delivery"],
                &["库存", "供货状态", "库存状态"],
                &["Verfügbarkeit", "Lieferbarkeit", "Lieferstatus"],
            ],
            Topic::Package => [
                &["Pack size", "Package", "Packaging", "Content"],
                &["规格", "包装规格", "产品规格"],
                &["Packungsgröße", "Packung", "Inhalt"],
            ],
            Topic::Ingredients => [
                &["Ingredients", "Composition", "Active ingredients", "Contains"],
                &["成份", "主要成份", "成分"],
                &["Zusammensetzung", "Inhaltsstoffe", "Wirkstoffe und Hilfsstoffe"],
            ],
            Topic::Indications => [
                &["Indications", "Uses", "Used for", "What is it for?"],
                &["适应症", "功能主治", "适应症/功能主治"],
                &["Anwendungsgebiete", "Indikation", "Anwendungsgebiet"],
            ],
            Topic::Contraindications => [
                &["Contraindications", "Do not use if", "When not to use", "Contra-indications"],
                &["禁忌", "禁忌症"],
                &["Gegenanzeigen", "Kontraindikationen"],
            ],
            Topic::Warnings => [
                &["Warnings", "Precautions", "Warnings and precautions", "Please note"],
                &["注意事项", "警告"],
                &["Warnhinweise", "Vorsichtsmaßnahmen", "Wichtige Hinweise"],
            ],
            Topic::Dosage => [
                &["Dosage", "Directions", "How to use", "How to take", "Dosage and administration"],
                &["用法用量", "用法与用量"],
                &["Dosierung", "Dosierung und Anwendung", "Art der Anwendung"],
            ],
            Topic::Description => [
                &["Description", "Product description", "Product information", "About this product"],
                &["产品介绍", "商品介绍", "性状"],
                &["Beschreibung", "Produktbeschreibung", "Produktinformation"],
            ],
        };
        match language {
            Language::English => english,
            Language::Chinese => chinese,
            Language::German => german,
        }
    }
}

/// One of a language's texts.
pub(super) fn text(rng: &mut Rng, topic: Topic, language: Language, generic: &str) -> String {
    let [english, chinese, german]: [&[&str]; 3] = match topic {
        Topic::Indications => [
            &[
                "For the relief of mild to moderate pain, such as headache and toothache.",
                "Treatment of seasonal allergies with sneezing and itching eyes.",
                "Short-term treatment of heartburn and acid reflux.",
                "For infections of the upper airways where bacteria are the likely cause.",
                "Helps with difficulty falling asleep after travel or night work.",
            ],
            &[
                "用于缓解轻至中度疼痛，如头痛、牙痛、关节痛。",
                "用于季节性过敏性鼻炎引起的打喷嚏、鼻痒。",
                "清热解毒。用于感冒引起的发热、咽喉肿痛。",
                "用于胃酸过多引起的胃痛、烧心、反酸。",
            ],
            &[
                "Zur Behandlung leichter bis mäßig starker Schmerzen.",
                "Bei allergischem Schnupfen und juckenden Augen.",
                "Zur kurzzeitigen Behandlung von Sodbrennen.",
                "Bei Reizhusten und Entzündungen des Rachens.",
            ],
        ],
        Topic::Contraindications => [
            &[
                "Known hypersensitivity to any of the ingredients; severe liver disease.",
                "Not for children under six, nor during the last three months of pregnancy.",
                "Active stomach ulcer, bleeding disorders.",
            ],
            &["对本品过敏者禁用，严重肝肾功能不全者禁用。", "孕妇及哺乳期妇女禁用。", "胃溃疡患者禁用。"],
            &[
                "Überempfindlichkeit gegen einen der Bestandteile, schwere Leberschäden.",
                "Nicht bei Kindern unter sechs Jahren und im letzten Drittel der Schwangerschaft.",
                "Magengeschwür, erhöhte Blutungsneigung.",
            ],
        ],
        Topic::Warnings => [
            &[
                "May cause drowsiness. Do not drive or operate machines.",
                "Ask a doctor if symptoms last for more than five days.",
                "Keep out of the reach of children. Do not exceed the stated dose.",
            ],
            &["服药期间不得驾驶机动车或操作机械。", "症状未缓解请咨询医师或药师。", "请将本品放在儿童不能接触的地方。"],
            &[
                "Kann müde machen. Nicht am Straßenverkehr teilnehmen.",
                "Halten die Beschwerden länger als fünf Tage an, fragen Sie Ihren Arzt.",
                "Für Kinder unzugänglich aufbewahren.",
            ],
        ],
        Topic::Dosage => [
            &[
                "Adults: one tablet three times a day after meals.",
                "Take 1 to 2 capsules every six hours, no more than eight in a day.",
                "10 ml in the evening, with a glass of water.",
            ],
            &["口服。一次1片，一日3次，饭后服用。", "口服，成人一次2粒，一日2次。", "一次10毫升，一日3次。"],
            &[
                "Erwachsene nehmen dreimal täglich eine Tablette nach den Mahlzeiten.",
                "1 bis 2 Kapseln alle sechs Stunden, höchstens acht am Tag.",
                "Abends 10 ml mit einem Glas Wasser.",
            ],
        ],
        Topic::Description => [
            &[
                "White, round tablets with a score on one side.",
                "A trusted remedy in a handy pack for the home and for travelling.",
                "Clear, colourless solution with a mild taste of mint.",
            ],
            &["本品为薄膜衣片，除去包衣后显白色。", "本品为硬胶囊，内容物为白色粉末。", "家庭常备用药，品质保证。"],
            &[
                "Weiße, runde Tabletten mit Bruchkerbe.",
                "Bewährtes Mittel für die Hausapotheke und unterwegs.",
                "Klare, farblose Lösung mit leichtem Minzgeschmack.",
            ],
        ],
        Topic::Availability => [
            &["In stock, ships within 24 hours", "In stock", "Available, 1-2 working days"],
            &["现货", "有货，24小时内发货", "库存充足"],
            &["Sofort lieferbar", "Auf Lager, Versand in 24 Stunden", "Lieferbar in 1-2 Werktagen"],
        ],
        Topic::Package => [
            &["20 tablets", "30 capsules", "100 ml bottle", "2 x 10 tablets"],
            &["0.3g*24片/盒", "12粒*2板/盒", "100ml/瓶"],
            &["20 Tabletten", "30 Kapseln", "100 ml Flasche"],
        ],
        _ => [
            &["{generic} 200 mg; starch, magnesium stearate.", "Each tablet contains 500 mg of {generic}."],
            &["本品主要成份为{generic}。", "每片含{generic}0.3克，辅料为淀粉、硬脂酸镁。"],
            &["{generic} 200 mg, Stärke, Magnesiumstearat.", "1 Tablette enthält 500 mg {generic}."],
        ],
    };
    let texts = match language {
        Language::English => english,
        Language::Chinese => chinese,
        Language::German => german,
    };
    rng.pick(texts).replace("{generic}", generic)
}

/// Returns the claim of a shop that sells prescription drugs without a prescription.
pub(super) fn freely(language: Language) -> &'static str {
    match language {
        Language::English => "In stock, no prescription needed",
        Language::Chinese => "现货，无需处方",
        Language::German => "Sofort lieferbar, ohne Rezept",
    }
}

/// Returns the statement of an honest shop about prescription drugs.
pub(super) fn prescribed(language: Language) -> &'static str {
    match language {
        Language::English => "On prescription only: send us yours by post",
        Language::Chinese => "处方药，须凭医师处方购买",
        Language::German => "Verschreibungspflichtig: Rezept einsenden",
    }
}

/// Returns the statement of shops about the origin of imported goods.
pub(super) fn imported(language: Language) -> &'static str {
    match language {
        Language::English => "Imported from overseas",
        Language::Chinese => "海外进口",
        Language::German => "Import aus Übersee",
    }
}

/// An invented name of a drug.
pub(super) fn drug(rng: &mut Rng, language: Language) -> String {
    match language {
        Language::Chinese => {
            let front = ["康", "安", "宁", "舒", "复方", "清", "益", "乐", "灵", "仁和"];
            let middle = ["必", "泰", "欣", "通", "络", "肤", "咽", "胃", "鼻", "肝", "达", "美"];
            let end = ["片", "胶囊", "颗粒", "口服液", "滴丸", "软膏"];
            format!("{}{}{}{}", rng.pick(&front), rng.pick(&middle), rng.pick(&middle), rng.pick(&end))
        }
        _ => {
            let front =
                ["Al", "Ben", "Cor", "Dol", "Eru", "Fen", "Gal", "Hev", "Ibra", "Jol", "Kar", "Lum", "Mor", "Nex"];
            let middle = ["a", "o", "exi", "ami", "ovi", "iri", "uma", "eta", "onde", "apri"];
            let end = ["din", "zol", "mex", "tab", "vent", "cor", "lin", "pax", "sed", "fort"];
            let form: &[&str] = match language {
                Language::German => &["Tabletten", "Kapseln", "Tropfen", "Salbe", "Saft"],
                _ => &["Tablets", "Capsules", "Drops", "Ointment", "Syrup"],
            };
            format!("{}{}{} {}", rng.pick(&front), rng.pick(&middle), rng.pick(&end), rng.pick(form))
        }
    }
}

/// An invented name of a substance.
pub(super) fn substance(rng: &mut Rng, language: Language) -> String {
    match language {
        Language::Chinese => {
            let front = ["氨", "布", "氯", "对乙", "头孢", "阿", "盐酸", "双氯"];
            let middle = ["洛", "替", "雷", "西", "美", "苯", "尼", "他"];
            let end = ["芬", "定", "酚", "林", "汀", "唑", "沙星", "酸钠"];
            format!("{}{}{}{}", rng.pick(&front), rng.pick(&middle), rng.pick(&middle), rng.pick(&end))
        }
        _ => {
            let front = ["per", "cla", "tri", "oxa", "dex", "met", "lora", "pheno", "sulfa", "keto"];
            let middle = ["lo", "be", "ro", "mi", "ta", "vu", "ne", "gli"];
            let end = ["zepine", "statin", "profen", "mycin", "tidine", "olol", "caine", "prazole"];
            format!("{}{}{}", rng.pick(&front), rng.pick(&middle), rng.pick(&end))
        }
    }
}

/// An invented maker.
pub(super) fn maker(rng: &mut Rng, language: Language) -> String {
    match language {
        Language::Chinese => {
            let place = ["江北", "云山", "东湖", "长岭", "南屏", "海口湾", "西塘"];
            let name = ["仁康", "同泽", "华润达", "百草", "正元", "天合", "瑞安"];
            format!(
                "{}{}{}",
                rng.pick(&place),
                rng.pick(&name),
                rng.pick(&["制药有限公司", "药业股份有限公司", "制药厂"])
            )
        }
        Language::German => {
            let name = ["Oberweiler", "Kranich", "Lindhof", "Steinbach", "Moorland", "Auental", "Rosenthaler"];
            format!("{} {}", rng.pick(&name), rng.pick(&["Arzneimittel GmbH", "Pharma AG", "Werke GmbH & Co. KG"]))
        }
        Language::English => {
            let name =
                ["Northfield", "Harrow", "Penstock", "Elmbridge", "Calder", "Westering", "Marlowe", "Quarry Hill"];
            format!(
                "{} {}",
                rng.pick(&name),
                rng.pick(&["Laboratories Ltd", "Pharma plc", "Healthcare Inc.", "& Sons"])
            )
        }
    }
}

/// A country that a language's makers work in.
pub(super) fn country(rng: &mut Rng, language: Language) -> &'static str {
    match language {
        Language::English => rng.pick(&["Ireland", "United Kingdom", "Canada", "New Zealand"]),
        Language::Chinese => rng.pick(&["中国", "中国大陆"]),
        Language::German => rng.pick(&["Deutschland", "Österreich", "Schweiz"]),
    }
}

/// A country that none of them works in.
pub(super) fn elsewhere(rng: &mut Rng, language: Language) -> &'static str {
    match language {
        Language::English => rng.pick(&["Paraguay", "Moldova", "Vanuatu"]),
        Language::Chinese => rng.pick(&["巴拉圭", "摩尔多瓦"]),
        Language::German => rng.pick(&["Paraguay", "Moldawien"]),
    }
}
