# docker build --tag advsp .
# docker run --rm advsp
FROM python:3.11-slim
COPY . /src
RUN pip install --no-cache-dir -c /src/constraints.txt '/src[fast,highs,plot]' && rm -r /src
# Compiled code belongs to who compiled it, so that the program runs as the same user.
RUN useradd --create-home advsp && mkdir /work && chown advsp /work
USER advsp
WORKDIR /work
RUN advsp warm-up --quiet
ENTRYPOINT ["advsp"]
CMD ["demo"]
