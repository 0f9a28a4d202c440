"""The data set: every figure the course states is read off `load_adult()` here."""

import datetime
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from dplib.data import (
    COLUMNS,
    DOMAINS,
    EDUCATION_NUM,
    MISSING,
    REFERENCE_DATE,
    Bounds,
    fill_missing,
    load_adult,
)
from dplib.data.loading import FILE

pytestmark = pytest.mark.quick


def test_columns_in_order_and_number_of_rows(adult):
    assert list(adult.columns) == [
        "Name",
        "DOB",
        "SSN",
        "Zip",
        "Workclass",
        "Education",
        "Education-Num",
        "Marital Status",
        "Occupation",
        "Relationship",
        "Race",
        "Sex",
        "Hours per week",
        "Country",
        "Target",
        "Age",
        "Capital Gain",
        "Capital Loss",
    ]
    assert list(adult.columns) == list(COLUMNS)
    assert adult.shape == (32_563, 18)


def test_rows_0_and_1_are_as_printed(adult):
    lines = adult.head(2).to_csv(index=False, header=False).splitlines()
    assert lines == [
        "Karrie Trusslove,9/7/1967,732-14-6110,64152,State-gov,Bachelors,13,Never-married,"
        "Adm-clerical,Not-in-family,White,Male,40,United-States,<=50K,56,2174,0",
        "Brandise Tripony,6/7/1988,150-19-2766,61523,Self-emp-not-inc,Bachelors,13,"
        "Married-civ-spouse,Exec-managerial,Husband,White,Male,13,United-States,<=50K,35,0,0",
    ]


def test_printed_values_of_rows_2_to_4(adult):
    printed = [c for c in COLUMNS if c not in COLUMNS[6:12]]
    assert adult.loc[2:4, printed].astype(str).agg(" ".join, axis=1).tolist() == [
        "Brenn McNeely 8/6/1991 725-59-9860 95668 Private HS-grad 40 United-States <=50K 32 0 0",
        "Dorry Poter 4/6/2009 659-57-4974 25503 Private 11th 40 United-States <=50K 14 0 0",
        "Dick Honnan 9/16/1951 220-93-3811 75387 Private Bachelors 40 Cuba <=50K 72 0 0",
    ]


FIGURES = {
    "Education": "HS-grad 10501, Some-college 7291, Bachelors 5355, Masters 1723, Assoc-voc 1383, "
    "11th 1175, Assoc-acdm 1067, 10th 933, 7th-8th 646, Prof-school 576, 9th 514, 12th 433, "
    "Doctorate 413, 5th-6th 333, 1st-4th 168, Preschool 51, Kinder 1",
    "Occupation": "Prof-specialty 4140, Craft-repair 4100, Exec-managerial 4066, "
    "Adm-clerical 3770, Sales 3650, Other-service 3295, Machine-op-inspct 2002, "
    "Transport-moving 1597, Handlers-cleaners 1370, Farming-fishing 994, Tech-support 928, "
    "Protective-serv 649, Priv-house-serv 149, Armed-Forces 9, Baby 1",
    "Marital Status": "Married-civ-spouse 14977, Never-married 10684, Divorced 4443, "
    "Separated 1025, Widowed 993, Married-spouse-absent 418, Married-AF-spouse 23",
    "Sex": "Male 21791, Female 10772",
    "Target": "<=50K 24722, >50K 7841",
}


@pytest.mark.parametrize("column", FIGURES)
def test_counts_of_categories(adult, column):
    counts = adult[column].value_counts()
    assert ", ".join(f"{label} {n}" for label, n in counts.items()) == FIGURES[column]


def test_missing_values(adult):
    missing = adult.isna().sum()
    assert missing[missing > 0].to_dict() == {
        "Workclass": 1836,
        "Occupation": 1843,
        "Country": 583,
    }


def test_education_by_sex_as_printed(adult):
    table = pd.crosstab(adult["Education"], adult["Sex"]).head(5)
    assert list(table.columns) == ["Female", "Male"]
    assert table.T.to_dict("list") == {
        "10th": [295, 638],
        "11th": [432, 743],
        "12th": [144, 289],
        "1st-4th": [46, 122],
        "5th-6th": [84, 249],
    }


def test_age_sums_and_counts(adult):
    age = adult["Age"]
    assert age.sum() == 1_360_238
    assert age.mean() == 41.77250253355035
    assert (age >= 40).sum() == 17_450
    assert ((age >= 21) & (age < 33)).sum() == 6_245
    assert ((age >= 20) & (age < 65)).sum() == 23_574
    assert age.clip(lower=0, upper=125).sum() == 1_360_238
    assert age.clip(lower=0, upper=30).sum() == 879_648


def test_age_by_education(adult):
    means = adult.groupby("Education")["Age"].mean()
    assert [f"{means[level]:.6f}" for level in ("10th", "11th", "12th")] == [
        "42.032154",
        "42.057021",
        "41.879908",
    ]
    above = adult[adult["Education-Num"] > 10]
    assert (len(above), above["Age"].sum()) == (10_517, 441_431)
    assert above["Age"].mean() == 41.973091185699346
    assert (adult["Education-Num"] <= 10).sum() == 22_046


def test_one_person_can_be_told_from_two_sums(adult):
    others = adult[adult["Name"] != "Karrie Trusslove"]
    assert len(others) == len(adult) - 1
    assert adult["Age"].sum() - others["Age"].sum() == 56


def test_capital_gain(adult):
    gain = adult["Capital Gain"]
    assert (gain.sum(), (gain != 0).sum(), (gain == 99_999).sum()) == (35_089_324, 2_712, 159)


def test_hours(adult):
    hours = adult["Hours per week"]
    assert abs(hours.mean() - 40.436) <= 0.001
    assert (hours.min(), hours.max()) == (0, 99)


def smallest_group(frame: pd.DataFrame) -> int:
    return int(frame.value_counts().min())


def test_k_anonymity_of_the_first_rows(adult):
    pairs = adult[["Age", "Education-Num"]]
    assert smallest_group(pairs.head(100)) == 1
    assert smallest_group(pairs.head(100) // 10) == 1
    clipped = pairs.assign(
        Age=pairs["Age"].clip(10, 60), **{"Education-Num": pairs["Education-Num"].clip(lower=3)}
    )
    assert smallest_group(clipped.head(500) // 10) >= 7
    assert smallest_group(pairs.head(500) // 10) == 1, "without clipping, outliers stand alone"


def test_the_two_outliers(adult):
    columns = ["Name", "Age", "Education", "Occupation"]
    assert adult.loc[49, columns].tolist() == ["Joseph Kinkade", 93, "Assoc-voc", "Craft-repair"]
    assert adult.loc[50, columns].tolist() == ["Violet Hunter", 1, "Kinder", "Baby"]
    rest = adult.drop(index=[49, 50])
    assert len(rest) == 32_561
    assert rest["Occupation"].nunique() == 14
    assert (rest["Occupation"] == "Craft-repair").sum() == 4_099


def test_occupations_in_order_of_first_appearance(adult):
    order = (
        "Adm-clerical, Exec-managerial, Handlers-cleaners, Prof-specialty, Other-service, Sales, "
        "Craft-repair, Transport-moving, Farming-fishing, Machine-op-inspct, Tech-support, "
        "Protective-serv, Baby, Armed-Forces, Priv-house-serv"
    )
    assert ", ".join(adult["Occupation"].dropna().unique()) == order


def test_first_cell_of_the_table_read_off_the_data(adult):
    table = pd.crosstab(adult["Age"], adult["Occupation"])
    assert table.stack().index[0] == (1, "Adm-clerical")


def test_distance_for_propose_test_release(adult):
    # The sources' formula u / (n - k + 1), kept for this figure only: chapter 7 corrects it.
    k = np.arange(len(adult))
    assert np.argmax(100 / (len(adult) - k + 1) >= 0.005) == 12_564


def age_on(dates: pd.Series, day: datetime.date) -> pd.Series:
    parts = dates.str.split("/", expand=True).astype(int)
    had_birthday = (parts[0] < day.month) | ((parts[0] == day.month) & (parts[1] <= day.day))
    return day.year - parts[2] - (~had_birthday).astype(int)


@pytest.mark.slow
def test_dates_of_birth_agree_with_age_on_the_reference_date(adult):
    assert adult["DOB"].str.fullmatch(r"[1-9]\d?/[1-9]\d?/\d{4}").all()
    born = pd.to_datetime(adult["DOB"], format="%m/%d/%Y")
    assert born.max().date() <= REFERENCE_DATE
    assert (age_on(adult["DOB"], REFERENCE_DATE) == adult["Age"]).all()
    assert datetime.date(2023, 9, 16) <= REFERENCE_DATE <= datetime.date(2023, 12, 31)


def test_social_security_numbers_are_different_and_never_issued(adult):
    assert adult["SSN"].is_unique
    own = adult["SSN"].drop(index=range(5))
    assert own.str.fullmatch(r"9\d\d-(0[1-9]|[1-4]\d)-\d{4}").all()
    assert not own.str.endswith("-0000").any()


def test_share_that_linkage_identifies(adult):
    def unique(*columns):
        return int((~adult.duplicated(list(columns), keep=False)).sum())

    assert unique("DOB", "Zip") == 20_844
    assert unique("DOB", "Zip", "Sex") == 24_809
    # Of the United States: 63 % (Golle 2006) and 87 % (Sweeney 2000), with Sex.
    assert 0.63 < unique("DOB", "Zip", "Sex") / len(adult) < 0.87
    alone = ~adult.duplicated(["DOB", "Zip"], keep=False)
    assert alone[[0, 1, 2, 3, 4, 49, 50]].all()


def test_zip_codes_lose_nothing_as_numbers(adult):
    assert adult["Zip"].between(10_000, 99_999).all()


@pytest.mark.slow
def test_the_data_lie_inside_the_public_domains(adult):
    filled = fill_missing(adult)
    assert set(DOMAINS) == set(COLUMNS) - {"Name", "DOB", "SSN", "Zip"}
    for column, domain in DOMAINS.items():
        if isinstance(domain, Bounds):
            assert filled[column].between(domain.lower, domain.upper).all(), column
        else:
            assert set(filled[column]) <= set(domain), column
            assert len(set(domain)) == len(domain), column
            assert filled[column].value_counts().reindex(domain).sum() == len(adult), column


def test_fill_missing_keeps_the_data_and_works_on_some_columns(adult):
    filled = fill_missing(adult)
    assert filled.notna().all(axis=None)
    assert (filled["Occupation"] == MISSING).sum() == 1_843
    assert adult["Occupation"].isna().sum() == 1_843, "the argument is left as it was"
    assert list(fill_missing(adult[["Age", "Country"]]).columns) == ["Age", "Country"]


def test_domains_cannot_be_changed():
    with pytest.raises(TypeError):
        DOMAINS["Sex"] = ("a",)
    with pytest.raises(TypeError):
        EDUCATION_NUM["Kinder"] = 3
    assert all(isinstance(domain, tuple) for domain in DOMAINS.values())


def test_education_num_is_determined_by_education(adult):
    assert (adult["Education"].map(dict(EDUCATION_NUM)) == adult["Education-Num"]).all()
    assert list(EDUCATION_NUM.values()) == list(range(17))


def test_types(adult):
    numbers = [c for c, domain in DOMAINS.items() if isinstance(domain, Bounds)] + ["Zip"]
    for column in COLUMNS:
        expected = "int64" if column in numbers else pd.Series(["text"]).dtype
        assert adult[column].dtype == expected, column


def test_only_two_are_younger_than_17(adult):
    assert adult.index[adult["Age"] < 17].tolist() == [3, 50]
    assert adult["Age"].nlargest(2).tolist() == [93, 90]


def test_spouses(adult):
    wives, husbands = (adult[adult["Relationship"] == r] for r in ("Wife", "Husband"))
    assert set(wives["Sex"]) == {"Female"}
    assert set(husbands["Sex"]) == {"Male"}
    couples = {"Married-civ-spouse", "Married-AF-spouse"}
    assert set(wives["Marital Status"]) | set(husbands["Marital Status"]) == couples


def test_ages_fit_education_and_marital_status(adult):
    youngest = adult[adult["Age"] > 14].groupby("Education")["Age"].min()
    assert youngest["Doctorate"] >= 25
    assert youngest["Prof-school"] >= 24
    assert youngest["Masters"] >= 22
    assert youngest["Bachelors"] >= 20
    teenagers = adult[adult["Age"] < 20]
    assert (teenagers["Marital Status"] == "Never-married").mean() > 0.9
    assert (teenagers["Marital Status"] == "Widowed").sum() < 10
    assert (teenagers["Target"] == ">50K").mean() < 0.01


def test_no_work_no_occupation(adult):
    lacking = adult["Workclass"].isna() | (adult["Workclass"] == "Never-worked")
    assert (lacking == adult["Occupation"].isna())[adult["Occupation"] != "Baby"].all()


def test_each_call_returns_its_own_data():
    first = load_adult()
    first.loc[0, "Age"] = 0
    del first["Name"]
    assert load_adult().loc[0, ["Name", "Age"]].tolist() == ["Karrie Trusslove", 56]


def test_load_from_a_path(adult, tmp_path):
    file = tmp_path / "mine.csv"
    adult.head(60).assign(Extra=1).to_csv(file, index=False)
    for path in (file, str(file)):
        pd.testing.assert_frame_equal(load_adult(path), adult.head(60))


def test_a_path_that_does_not_exist(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        load_adult(tmp_path / "nowhere.csv")
    with pytest.raises(FileNotFoundError):
        load_adult(tmp_path)


def test_a_file_that_lacks_columns(adult, tmp_path):
    file = tmp_path / "short.csv"
    adult.head().drop(columns=["Zip", "Target"]).to_csv(file, index=False)
    with pytest.raises(ValueError, match=r"lacks \['Zip', 'Target'\]"):
        load_adult(file)


@pytest.mark.slow
def test_faker_is_not_needed_to_load():
    code = "import sys; sys.modules['faker'] = None; import dplib.data as d; d.load_adult()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_packaged_file_is_small_and_has_no_time_stamp():
    content = FILE.read_bytes()
    assert len(content) < 2_000_000
    assert content[4:8] == bytes(4)
