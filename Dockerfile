# Built by "npm run package -- docker", which lays out the context: the program in app/, two empty directories.
ARG BASE=node:24-slim
FROM ${BASE}
COPY app /app
COPY --chown=1000:1000 state /state
COPY --chown=1000:1000 projects /projects
# History and trash of what cannot hold its own. Give it a name (-v holdfast:/state) to keep them.
VOLUME /state
ENV HOLDFAST_STATE=/state HOME=/state
USER 1000:1000
WORKDIR /projects
ENTRYPOINT ["node", "/app/dist/holdfast.cjs"]
CMD ["/projects"]
