"""sqlalchemy-quakes.py WORKLOAD URL ROWS: runs one workload in SQLAlchemy's ORM and prints its cost.

Saves check versions as in Core Data. They write no history, because SQLAlchemy does not have one.
"""
import json
import os
import resource
import subprocess
import sys
import time

from sqlalchemy import BigInteger, Double, ForeignKey, Integer, Text, create_engine, func, insert, select, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Region(Base):
    __tablename__ = "zregion"
    key: Mapped[int] = mapped_column("z_pk", BigInteger, primary_key=True)
    entity: Mapped[int] = mapped_column("z_ent", Integer)
    version: Mapped[int] = mapped_column("z_opt", BigInteger)
    number: Mapped[int | None] = mapped_column("znumber", Integer)
    name: Mapped[str | None] = mapped_column("zname", Text)
    quakes: Mapped[list["Quake"]] = relationship(back_populates="region", cascade="all, delete-orphan")
    __mapper_args__ = {"version_id_col": version}


class Quake(Base):
    __tablename__ = "zquake"
    key: Mapped[int] = mapped_column("z_pk", BigInteger, primary_key=True)
    entity: Mapped[int] = mapped_column("z_ent", Integer)
    version: Mapped[int] = mapped_column("z_opt", BigInteger)
    time: Mapped[float | None] = mapped_column("ztime", Double)
    updated: Mapped[float | None] = mapped_column("zupdated", Double)
    magnitude: Mapped[float | None] = mapped_column("zmagnitude", Double)
    latitude: Mapped[float | None] = mapped_column("zlatitude", Double)
    longitude: Mapped[float | None] = mapped_column("zlongitude", Double)
    depth: Mapped[float | None] = mapped_column("zdepth", Double)
    ident: Mapped[str | None] = mapped_column("zident", Text)
    place: Mapped[str | None] = mapped_column("zplace", Text)
    net: Mapped[str | None] = mapped_column("znet", Text)
    status: Mapped[str | None] = mapped_column("zstatus", Text)
    type: Mapped[str | None] = mapped_column("ztype", Text)
    felt: Mapped[int | None] = mapped_column("zfelt", Integer)
    significance: Mapped[int | None] = mapped_column("zsignificance", Integer)
    region_key: Mapped[int | None] = mapped_column("zregion", ForeignKey("zregion.z_pk"))
    region: Mapped[Region | None] = relationship(back_populates="quakes")
    __mapper_args__ = {"version_id_col": version}

    def values(self):
        reals = self.magnitude + self.latitude + self.longitude + self.depth + self.time + self.updated
        texts = (self.ident, self.place, self.net, self.status, self.type)
        return reals, sum(len(text.encode()) for text in texts) + (self.felt or 0) + self.significance


TEXTS, REALS = ("ident", "place", "net", "status", "type"), (
    "time", "updated", "magnitude", "latitude", "longitude", "depth")


def events(first, count):
    """Yields dictionaries of quakes with the numbers of their regions."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".build/release/benchmark-postgresql-c")
    output = subprocess.run([program, "events", str(first), str(count)], capture_output=True, check=True, text=True)
    for line in output.stdout.splitlines():
        fields = line.split("\t")
        quake = dict(zip(TEXTS, fields[:5]))
        quake.update(zip(REALS, map(float, fields[5:11])))
        felt, significance, region = map(int, fields[11:])
        quake.update(felt=None if felt < 0 else felt, significance=significance)
        yield quake, region


def server_milliseconds():
    server, total = os.environ.get("BENCHMARK_SERVER"), 0
    if not server:
        return 0
    with open(f"/proc/{server}/task/{server}/children") as children:
        for child in children.read().split():
            try:
                with open(f"/proc/{child}/schedstat") as file:
                    total += int(file.read().split()[0])
            except OSError:
                pass
    return total / 1e6


class Stretch:
    def __enter__(self):
        self.server, self.cpu, self.wall = server_milliseconds(), time.process_time(), time.monotonic()
        return self

    def __exit__(self, *_):
        self.cpu, self.wall = (time.process_time() - self.cpu) * 1e3, (time.monotonic() - self.wall) * 1e3
        self.server = server_milliseconds() - self.server


class Workloads:
    def __init__(self, url, rows):
        url, schema = url.split("&schema=")
        self.engine = create_engine(
            url.replace("postgresql:", "postgresql+psycopg:"), connect_args={"options": f"-csearch_path={schema}"})
        self.rows, self.stretch = rows, Stretch()

    def session(self):
        return Session(self.engine)

    def keys(self, session, count):
        last = session.scalar(
            text("UPDATE z_primarykey SET z_max = z_max + :count WHERE z_name = 'Quake' RETURNING z_max"),
            {"count": count})
        return last - count + 1

    def insert(self, first=0, count=None, size=None):
        quakes = list(events(first, count or self.rows))
        size = size or len(quakes)
        with self.session() as session, self.stretch:
            entity = session.scalar(text("SELECT z_ent FROM z_primarykey WHERE z_name = 'Quake'"))
            regions = {number: key for key, number in session.execute(select(Region.key, Region.number))}
            key = self.keys(session, len(quakes))
            for start in range(0, len(quakes), size):
                for quake, region in quakes[start:start + size]:
                    session.add(Quake(key=key, entity=entity, region_key=regions[region], **quake))
                    key += 1
                session.commit()
        return 0, len(quakes)

    def insert_1000(self):
        return self.insert(size=1000)

    def single(self):
        return self.insert(first=self.rows, count=1000, size=1)

    def batch_insert(self):
        quakes = [quake for quake, _ in events(0, self.rows)]
        with self.session() as session, self.stretch:
            entity = session.scalar(text("SELECT z_ent FROM z_primarykey WHERE z_name = 'Quake'"))
            key = self.keys(session, len(quakes))
            session.execute(
                insert(Quake), [dict(quake, key=key + i, entity=entity, version=1) for i, quake in enumerate(quakes)])
            session.commit()
        return 0, len(quakes)

    def single_change(self):
        with Session(self.engine, expire_on_commit=False) as session:
            quakes = session.scalars(select(Quake).order_by(Quake.ident).limit(1000)).all()
            session.commit()
            with self.stretch:
                for quake in quakes:
                    quake.magnitude += 0.25
                    session.commit()
        return 0, len(quakes)

    @property
    def touched(self):
        return max(1, min(750, 10_000 * 750 // self.rows))

    def update(self):
        with self.session() as session, self.stretch:
            quakes = session.scalars(select(Quake).join(Region).where(Region.number < self.touched)).all()
            for quake in quakes:
                quake.magnitude += 0.25
            session.commit()
        return 0, len(quakes)

    def delete(self):
        with self.session() as session, self.stretch:
            for region in session.scalars(select(Region).where(Region.number < self.touched)):
                session.delete(region)
            session.commit()
            left = session.scalar(select(func.count()).select_from(Quake))
        return 0, left

    def sum(self, quakes):
        reals = integers = 0
        for quake in quakes:
            some = quake.values()
            reals, integers = reals + some[0], integers + some[1]
        return reals, integers

    def all(self):
        with self.session() as session, self.stretch:
            return self.sum(session.scalars(select(Quake)))

    def one(self):
        with self.session() as session, self.stretch:
            return sum(quake.magnitude for quake in session.scalars(select(Quake))), 0

    def look_up(self):
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".build/release/benchmark-postgresql-c")
        output = subprocess.run([program, "picks", "1000", str(self.rows)], capture_output=True, check=True, text=True)
        with self.session() as session, self.stretch:
            return self.sum(
                session.scalars(select(Quake).where(Quake.ident == ident).limit(1)).one()
                for ident in output.stdout.split())

    def faults(self):
        with self.session() as session:
            keys = session.scalars(select(Quake.key).order_by(Quake.ident).limit(1000)).all()
            with self.stretch:
                return self.sum(session.get(Quake, key) for key in keys)

    def count(self):
        with self.session() as session, self.stretch:
            return 0, sum(
                session.scalar(select(func.count()).select_from(Quake).where(Quake.magnitude >= 7 + step / 100))
                for step in range(100))


def main():
    work, url, rows = sys.argv[1:4]
    workloads = Workloads(url, int(rows))
    reals, integers = getattr(workloads, work.replace("-", "_"))()
    stretch, peak = workloads.stretch, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({
        "work": work, "cpu": stretch.cpu, "wall": stretch.wall, "server": stretch.server, "peak": peak, "held": 0,
        "reals": reals, "integers": integers}))


main()
